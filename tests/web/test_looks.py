"""Contrast of text, controls, bars and covers, in both themes, by the formula of WCAG 2, from the stylesheet."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import tacit

CSS = (Path(tacit.__file__).parent / "web" / "static" / "tacit.css").read_text()
HUES = [float(hue) for hue in re.findall(r"\.h\d\d \{ --h: (\d+); \}", CSS)]


def colours(theme: str) -> dict[str, str]:
    light, dark = re.findall(r":root \{(.*?)\}", CSS, flags=re.DOTALL)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light if theme == "light" else dark))


def numbers(text: str) -> tuple[float, float]:
    light, chroma = text.split()
    return float(light), float(chroma)


def lightness(theme: str) -> dict[str, tuple[float, float]]:
    """Lightness and chroma of covers and bars."""
    both = re.findall(r":root \{(.*?)\}", CSS, flags=re.DOTALL)
    found = re.findall(r"--([\w-]+): (0\.\d+ 0\.\d+)", "".join(both[: 1 if theme == "light" else 2]))
    return {name: numbers(text) for name, text in found}


def oklch(light: float, chroma: float, hue: float) -> str:
    """A colour of CSS as sRGB, cut off where a screen cannot show it, by the matrices of CSS Color 4."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    lms = [
        (light + p * a + q * b) ** 3
        for p, q in (
            (0.3963377774, 0.2158037573),
            (-0.1055613458, -0.0638541728),
            (-0.0894841775, -1.291485548),
        )
    ]
    rows = (
        (4.0767416621, -3.3077115913, 0.2309699292),
        (-1.2684380046, 2.6097574011, -0.3413193965),
        (-0.0041960863, -0.7034186147, 1.707614701),
    )
    made = "#"
    for row in rows:
        linear = min(1.0, max(0.0, sum(x * y for x, y in zip(row, lms, strict=True))))
        value = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
        made += f"{round(255 * value):02x}"
    return made


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_formula_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # a well-known near miss
    assert oklch(1, 0, 0) == "#ffffff"
    assert oklch(0.62796, 0.25768, 29.23) == "#ff0000"  # red, in CSS Color 4


GROUNDS = ("paper", "sheet", "sink")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(theme: str) -> None:
    named = colours(theme)
    for ground in GROUNDS:
        for text in ("ink", "quiet", "lamp", "good", "care", "bad"):
            assert contrast(named[text], named[ground]) >= 4.5, (text, ground)
    assert contrast(named["on-ink"], named["ink"]) >= 4.5
    assert contrast(named["ink"], named["paper"]) >= 13


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_edges_of_controls_stars_and_bars_can_be_seen(theme: str) -> None:
    named, lights = colours(theme), lightness(theme)
    for ground in ("paper", "sheet"):
        for mark in ("edge", "off", "lamp"):
            assert contrast(named[mark], named[ground]) >= 3, (mark, ground)
    for hue in HUES:
        assert contrast(oklch(*lights["first"], hue), named["paper"]) >= 3, hue


@pytest.mark.parametrize("finish", ["deep", "bright", "pale"])
def test_titles_on_covers_can_be_read_on_ground_and_shape_in_every_hue(finish: str) -> None:
    lights = lightness("light")
    grey = dict(
        re.findall(r"--([\w-]+): ([\d. ]+);", re.findall(r"\.grey \{(.*?)\}", CSS, flags=re.DOTALL)[0])
    )
    assert len(HUES) == 24
    for hue in [*HUES, None]:
        own = {**lights, **{k: numbers(v) for k, v in grey.items() if " " in v}} if hue is None else lights
        text = oklch(*own[f"{finish}-text"], hue or 80)
        assert contrast(text, oklch(*own[finish], hue or 80)) >= 7, hue
        assert contrast(text, oklch(*own[f"{finish}-shape"], hue or 80)) >= 5, hue
