"""Pictures of the page for the docs, taken in Chromium from invented titles and people.

`TACIT_PICTURES=docs/images pytest tests/web/test_pictures.py` writes them anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacit.node.circle import circle
from tacit.node.store.records import NetworkTraffic, Rating
from tests.node.circle.friends import Friends
from tests.web.invented import invented_start
from tests.web.test_browser import chromium, pytestmark, served_page, with_ratings

__all__ = ["chromium", "pytestmark"]
DOCS = Path(__file__).parents[2] / "docs"
LARGEST = 150_000
EVENING = 1_763_400_000.0
LIKES = {"Mara": [2, 4, 5, 9, 25], "Jun": [26, 27, 31, 9], "Elif": [12, 13, 2, 33]}


def circle_of_four(folder: Path) -> Friends:
    """Ana, whose page it is, and three friends whose lists have reached her."""
    friends, start = Friends(folder), invented_start()
    ana = friends.add("Ana")
    with_ratings(ana)
    ana.circle.publish()
    for name, places in LIKES.items():
        one = friends.add(name)
        one.add([Rating(start.keys[place], start.titles[place], value=5.0) for place in places])
        one.add([Rating("film:t:small weather:2025", "Small Weather (2025)", value=5.0)])
        one.circle.publish()
        friends.meet(one, ana)
    for day in range(4):
        for number in range(3 + day):
            kind, titles, size = (("sync", 0, 180), ("list", 12, 2_400), ("hello", 0, 420))[number % 3]
            to = friends.people["Mara" if number % 2 else "Jun"].store.setting("id")
            when = EVENING + 86_400 * day + 600 * number
            ana.ledger.enter(when, to, kind, titles, titles and 8, size + 300 * day, 1.0)
    ana.ledger.add_network(NetworkTraffic(24_000, 18_000, 9_000, 7_000, 12, 3, 2))
    ana.circle.link()
    return friends


def open_reasons(tab: Any) -> None:
    tab.locator(".why summary").first.click()
    tab.locator(".seen summary").nth(1).click()
    tab.get_by_label("3.5 of 5").nth(1).check(force=True)
    tab.evaluate("scrollTo(0, 330)")


def nothing(tab: Any) -> None:
    """Show it as it is."""


PICTURES: dict[str, tuple[str, int, int, str, Callable[[Any], None]]] = {
    "page-tonight": ("/", 1280, 900, "light", nothing),
    "page-reasons": ("/", 768, 1010, "light", open_reasons),
    "page-circle": ("/circle", 1280, 900, "dark", nothing),
    "page-left": ("/left", 768, 900, "light", nothing),
    "page-few": ("/few", 1280, 760, "light", nothing),
    "page-phone": ("/", 360, 780, "dark", nothing),
}


def test_pictures_of_every_page(tmp_path: Path, chromium: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circle, "reachable_at", lambda store: ("192.0.2.7:4433",))  # an address of nobody
    into = Path(os.environ.get("TACIT_PICTURES", str(tmp_path)))
    friends = circle_of_four(tmp_path / "people")
    ana = friends.people["Ana"]
    with served_page(ana) as page:
        for name, (path, width, height, scheme, do) in PICTURES.items():
            tab = chromium.new_context(
                color_scheme=scheme, viewport={"width": width, "height": height}
            ).new_page()
            tab.goto(page.address)
            tab.goto(page.address.split("/?")[0] + path)
            do(tab)
            tab.screenshot(path=str(into / f"{name}.png"))
            assert (into / f"{name}.png").stat().st_size < LARGEST, name
    for one in friends.people.values():
        one.close()


def test_the_guide_shows_every_picture() -> None:
    guide = (DOCS / "guide" / "page.md").read_text()
    for name in PICTURES:
        assert f"../images/{name}.png" in guide
        assert (DOCS / "images" / f"{name}.png").stat().st_size < LARGEST
