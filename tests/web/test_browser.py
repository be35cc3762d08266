"""The page in a real Chromium: the first run to the ledger, once with the keyboard alone, light, dark and narrow.

Set TACIT_SCREENSHOTS to a folder to look at what was seen.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tacit.node import first_setup
from tacit.web.server import Page, open_page
from tests.node.importers.exports import zip_bytes
from tests.node.importers.test_letterboxd import ZIP
from tests.web.site import FixedService

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
OWN = re.compile(r"data:|http://[0-9a-f]{32}\.localhost:\d+/")
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).is_file(), reason="needs chromium at /usr/bin/chromium")
sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")


@contextmanager
def serving(folder: Path, *, plain: bool = False) -> Iterator[tuple[Page, FixedService]]:
    """A page that listens, in a thread of its own."""
    first_setup.create(folder / "home", name="Ana", model="bpr")
    service = FixedService(folder / "home")
    page = open_page(service, plain=plain)
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(page.run(stop)))
    thread.start()
    yield page, service
    loop.call_soon_threadsafe(stop.set)
    thread.join(20)
    loop.close()
    service.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Page, FixedService]]:
    with serving(tmp_path) as both:
        yield both


@pytest.fixture
def chromium() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


def watched(chromium: Any, **context: Any) -> tuple[Any, list[str]]:
    """A tab, and everything it complained about or asked elsewhere for."""
    tab = chromium.new_context(**context).new_page()
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("request", lambda r: complaints.append(r.url) if not OWN.match(r.url) else None)
    return tab, complaints


def shot(tab: Any, name: str) -> None:
    if folder := os.environ.get("TACIT_SCREENSHOTS"):
        tab.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)


def fits(tab: Any) -> bool:
    return bool(tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_from_the_first_visit_to_the_ledger(served: tuple[Page, FixedService], chromium: Any) -> None:
    page, service = served
    tab, complaints = watched(chromium, color_scheme="light", viewport={"width": 1000, "height": 800})
    tab.goto(page.address)
    assert "token" not in tab.url
    assert tab.get_by_role("heading", level=1).inner_text() == "Add what you already rated"
    shot(tab, "1-welcome")
    export = {"name": "letterboxd-ana.zip", "mimeType": "application/zip", "buffer": zip_bytes(ZIP)}
    tab.get_by_label("A file or zip").set_input_files(export)
    tab.get_by_role("button", name="Read the file").click()
    assert "Letterboxd" in tab.get_by_role("main").inner_text()
    shot(tab, "2-check")
    tab.get_by_role("button", name="Keep 7 items").click()
    shot(tab, "3-choose")
    tab.get_by_label("What I share, in percent").fill("40")
    assert tab.get_by_label("What I share of my ratings").input_value() == "40"
    assert "about 4 in 10" in str(
        tab.get_by_label("What I share, in percent").get_attribute("aria-valuetext")
    )
    tab.get_by_role("button", name="Go on").click()
    shot(tab, "4-people")
    tab.get_by_role("button", name="Finish, stay paused").click()
    assert service.sharing().paused is True
    assert service.sharing().disclosure == 0.4
    assert "Near to Night Ferry (2010)" in tab.get_by_role("main").inner_text()
    shot(tab, "5-home")
    tab.get_by_role("group", name="Rate Certified Pier (2011)").get_by_role("button", name="5 of 5").click()
    assert "Saved: Certified Pier (2011)." in tab.get_by_role("status").inner_text()
    assert {r.key: r.value for r in service.ratings()}["film:t:certified pier:2011"] == 5.0
    for i in range(30):
        service.ledger.enter(
            1_700_000_000.0 + 4_000 * i, "ab" * 32, "update", 30 + i % 7, 5 + i % 5, 18_000 + i, 0.4
        )
    tab.get_by_role("link", name="Sharing").click()
    assert "Paused: nothing about your ratings is sent." in tab.locator("#status").inner_text()
    assert tab.get_by_role("region", name="Ledger").locator("tbody tr").count() == 30
    assert tab.get_by_role("img", name="Rows sent over time").is_visible()
    shot(tab, "6-sharing")
    tab.get_by_role("link", name="My data").click()
    shot(tab, "7-data")
    with tab.expect_download() as left_out:
        tab.get_by_role("link", name="which ones, and why, as CSV").click()
    assert left_out.value.suggested_filename == "tacit-skipped.csv"
    assert "Grey Hours,2001" in Path(left_out.value.path()).read_text()
    tab.get_by_role("link", name="People").click()
    tab.get_by_role("button", name="Make an invitation").click()
    assert tab.get_by_label("Your invitation").input_value()
    shot(tab, "8-people")
    assert complaints == []


def test_with_the_keyboard_alone(served: tuple[Page, FixedService], chromium: Any) -> None:
    page, service = served
    service.store.set(welcomed=True)
    service.rate("film:t:night ferry:2010", 4, "Night Ferry (2010)")
    tab, complaints = watched(chromium)
    tab.goto(page.address)

    def name() -> str:
        return str(
            tab.evaluate("(e => e.getAttribute('aria-label') || e.innerText || e.id)(document.activeElement)")
        )

    def tab_to(wanted: str) -> None:
        for _ in range(60):
            tab.keyboard.press("Tab")
            if name() == wanted:
                return
        raise AssertionError(f"{wanted} is not reached with the tab key")

    def wait_for_focus(selector: str) -> None:
        """Wait until the browser has moved the focus, which may be later than the page is there."""
        tab.wait_for_function("s => document.activeElement.matches(s)", arg=selector)

    tab.keyboard.press("Tab")
    assert name() == "Skip to content"
    tab.keyboard.press("Enter")
    wait_for_focus("#main")
    tab_to("4 of 5")
    tab.keyboard.press("Enter")
    wait_for_focus(".said")
    assert name() == "Saved: Certified Pier (2011)."  # Focus is on what happened.
    assert len(service.ratings()) == 2
    tab.keyboard.press("Shift+Tab")
    tab_to("q")
    tab.keyboard.type("zebra")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**zebra**")
    tab_to("value")
    tab.keyboard.type("9")
    tab.evaluate("document.querySelectorAll('form').forEach(f => f.noValidate = true)")
    tab.keyboard.press("Enter")
    wait_for_focus("[role=alert]")
    assert "allowed: 1 to 5" in name()  # Also after a mistake.
    tab_to("Sharing")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/sharing")
    tab_to("What I share, in percent")
    for _ in range(3):
        tab.keyboard.press("ArrowLeft")
    tab_to("Save")
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".said")
    assert service.sharing().disclosure == 0.85
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_and_dark(served: tuple[Page, FixedService], chromium: Any, scheme: str) -> None:
    page, service = served
    service.store.set(welcomed=True)
    service.rate("film:t:night ferry:2010", 4, "Night Ferry, the Extraordinarily Long Title of a Film (2010)")
    service.ledger.enter(1_700_000_000.0, "ab" * 32, "update", 30, 5, 18_000, 0.4)
    tab, complaints = watched(chromium, color_scheme=scheme, viewport={"width": 320, "height": 700})
    tab.goto(page.address)
    for path in (
        "/",
        "/?q=ferry",
        "/sharing",
        "/data",
        "/people",
        "/welcome",
        "/welcome/choose",
        "/welcome/people",
    ):
        tab.goto(page.address.split("/?")[0] + path)
        assert fits(tab), path
        shot(tab, f"{scheme}-320-{path.strip('/?').replace('/', '-') or 'home'}".replace("=", "-"))
        small = tab.evaluate(
            "[...document.querySelectorAll('main button, nav a, main select, main input:not([type=hidden])')]"
            ".filter(e => e.offsetParent && e.type !== 'checkbox' && e.getBoundingClientRect().height < 44)"
            ".map(e => e.outerHTML)"
        )
        assert small == [], path
    back = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == {"light": "rgb(251, 250, 248)", "dark": "rgb(20, 23, 26)"}[scheme]
    assert complaints == []


def test_without_scripts(served: tuple[Page, FixedService], chromium: Any) -> None:
    page, service = served
    service.store.set(welcomed=True)
    tab, complaints = watched(chromium, java_script_enabled=False)
    tab.goto(page.address)
    tab.get_by_role("link", name="Sharing").click()
    tab.get_by_label("What I share of my ratings").fill("25")
    tab.get_by_role("button", name="Save").click()
    assert service.sharing().disclosure == 0.25
    assert complaints == []


@pytest.mark.parametrize("plain", [False, True])
def test_another_server_of_this_computer_does_not_get_the_session(
    tmp_path: Path, chromium: Any, plain: bool
) -> None:
    """Browsers keep cookies apart by name and not by port. At 127.0.0.1, which is asked for, it does get it."""
    got: list[str] = []

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            got.append(self.headers.get("Cookie", ""))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with serving(tmp_path, plain=plain) as (page, _), HTTPServer(("127.0.0.1", 0), Other) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        context = chromium.new_context()
        tab = context.new_page()
        tab.goto(page.address)
        assert len(context.cookies()) == 1
        for host in ("127.0.0.1", "localhost", "other.localhost"):
            tab.goto(f"http://{host}:{other.server_port}/")
        other.shutdown()
        thread.join()
    assert len(got) >= 3
    assert any("tacit_" in cookie for cookie in got) is plain
