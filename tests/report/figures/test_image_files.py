import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tacit.core.errors import BadInput
from tacit.report.figures.curves import figure_cdf, figure_communication, figure_curve
from tacit.report.figures.image_files import save, to_png, to_svg
from tests.report.factory import make_result, ranking_runs, rating_runs


def test_svg_takes_the_colours_of_the_page() -> None:
    svg = to_svg(figure_curve(rating_runs(), "rmse"), "a < b & c")
    assert svg.startswith('<svg role="img" aria-label="a &lt; b &amp; c"')
    assert "currentColor" in svg
    assert "#010203" not in svg
    assert "<style" not in svg
    assert not re.search(r"#(fff|000)", svg.lower())
    assert set(re.findall(r"https?://[^\"]+", svg)) == {"http://www.w3.org/2000/svg"}
    ElementTree.fromstring(svg)


def test_svg_is_the_same_every_time_and_ids_are_its_own() -> None:
    one, again = (to_svg(figure_curve(rating_runs(), "rmse")) for _ in range(2))
    other = to_svg(figure_curve(rating_runs(), "mae"))
    assert one == again
    ids = [set(re.findall(r'id="([^"]+)"', svg)) for svg in (one, other)]
    assert not ids[0] & ids[1]
    for svg, own in zip((one, other), ids, strict=True):
        assert set(re.findall(r"(?:url\(|href=\")#([\w-]+)", svg)) == own


def test_names_are_drawn_as_they_are() -> None:
    svg = to_svg(figure_communication([replace(make_result(), recipe="a$x$/<b> #010203 0.123456 url(#q)")]))
    assert "a$x$/&lt;b&gt; #010203 0.123456 url(#q)" in svg


def test_png(tmp_path: Path) -> None:
    path = to_png(figure_cdf(ranking_runs(), "hr@20"), tmp_path / "cdf.png", dpi=50)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_pdf_has_fonts_that_publishers_accept_and_svg_has_text(tmp_path: Path) -> None:
    figure = figure_curve(rating_runs(), "rmse")
    pdf = save(figure, tmp_path / "a.pdf").read_bytes()
    assert b"/Type3" not in pdf
    assert b"/FontFile2" in pdf, "TrueType, embedded"
    svg = save(figure, tmp_path / "a.svg").read_text()
    assert ">hegedus/federated</text>" in svg
    again = save(figure_curve(rating_runs(), "rmse"), tmp_path / "b.pdf").read_bytes()
    assert again == pdf, "the same file every time"
    with pytest.raises(BadInput, match=r"ends in .png, .svg, .pdf"):
        save(figure, tmp_path / "a.eps")
