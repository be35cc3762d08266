"""The page in a real Chromium: first visit to last page, with the keyboard alone, narrow, dark, without scripts."""

from __future__ import annotations

import asyncio
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tacit.node import first_setup
from tacit.node.service import Service
from tacit.web.server import Page, open_page
from tests.node.importers.exports import zip_bytes
from tests.node.importers.test_letterboxd import ZIP
from tests.web.invented import invented_start, say_what_ana_likes

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
OWN = re.compile(r"data:|http://[0-9a-f]{32}\.localhost:\d+/")
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).is_file(), reason="needs chromium at /usr/bin/chromium")
sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")


def with_ratings(service: Service) -> None:
    """Welcomed, with a start and ratings."""
    start = invented_start()
    service.store.set(welcomed=True)
    service.suggestions.set_start(start)
    say_what_ana_likes(service, start)


@contextmanager
def serving(
    folder: Path, prepare: Callable[[Service], None] = with_ratings, *, plain: bool = False
) -> Iterator[tuple[Page, Service]]:
    """A page that listens, in a thread of its own."""
    first_setup.create(folder / "home", name="Ana")
    service = Service(folder / "home")
    prepare(service)
    with served_page(service, plain=plain) as page:
        yield page, service
    service.close()


@contextmanager
def served_page(service: Service, *, plain: bool = False) -> Iterator[Page]:
    page = open_page(service, plain=plain)
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(page.run(stop)))
    thread.start()
    try:
        yield page
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(20)
        loop.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Page, Service]]:
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


def fits(tab: Any) -> bool:
    return bool(tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def go(tab: Any, what: Any) -> None:
    """Press something that leads to a page, and wait for it."""
    with tab.expect_navigation():
        what.click()


def focus(tab: Any) -> str:
    """What has the focus, in words."""
    return str(
        tab.evaluate("(e => e.getAttribute('aria-label') || e.innerText || e.id)(document.activeElement)")
    )


def first_title(tab: Any) -> str:
    return str(tab.locator(".title h3").first.inner_text())


def test_from_the_first_visit_to_what_left(tmp_path: Path, chromium: Any) -> None:
    def new(service: Service) -> None:
        service.suggestions.set_start(invented_start())

    with serving(tmp_path, new) as (page, service):
        tab, complaints = watched(chromium, viewport={"width": 1000, "height": 800})
        tab.goto(page.address)
        assert "token" not in tab.url
        assert tab.get_by_role("heading", level=1).inner_text() == "Something good for tonight"
        tab.get_by_role("button", name=re.compile("Liked it")).first.click()
        tab.wait_for_selector("[aria-pressed=true]")
        assert [rating.signal for rating in service.ratings()] == ["liked"]
        export = {"name": "letterboxd-ana.zip", "mimeType": "application/zip", "buffer": zip_bytes(ZIP)}
        tab.get_by_label("Drop a file here").set_input_files(export)
        go(tab, tab.get_by_role("button", name="Read the file"))
        assert "This is from Letterboxd" in tab.get_by_role("main").inner_text()
        assert len(service.ratings()) == 1
        go(tab, tab.get_by_role("button", name="Keep 7 titles"))
        assert tab.get_by_role("heading", level=1).inner_text() == "Tonight"
        assert len(service.ratings()) == 8
        tab.locator(".why summary").first.click()
        assert tab.locator(".why tfoot").first.inner_text().split() == ["Its", "whole", "score", "100", "%"]
        go(tab, tab.get_by_role("link", name="Ratings"))
        with tab.expect_download() as left_out:
            tab.get_by_role("link", name="which ones, and why, as CSV").click()
        assert left_out.value.suggested_filename == "tacit-skipped.csv"
        assert "Grey Hours,2001" in Path(left_out.value.path()).read_text()
        go(tab, tab.get_by_role("link", name="Circle", exact=True))
        tab.get_by_label("Its name").fill("Tuesday films")
        go(tab, tab.get_by_role("button", name="Start it"))
        tab.get_by_label(re.compile("Everything I like")).check()
        go(tab, tab.get_by_role("button", name="Save"))
        go(tab, tab.get_by_role("button", name="Make a link"))
        assert tab.get_by_role("img", name="The link as a QR code").is_visible()
        assert tab.get_by_label("One link for this circle").input_value() == service.circle.links()[0].text
        go(tab, tab.get_by_role("link", name="What left"))
        assert "No message has left" in tab.get_by_role("main").inner_text()
        go(tab, tab.get_by_role("link", name="Status"))
        assert tab.locator(".checks li").count() >= 8
        assert complaints == []


def test_what_is_pressed_changes_in_place_and_is_undone_there(
    served: tuple[Page, Service], chromium: Any
) -> None:
    page, service = served
    tab, complaints = watched(chromium)
    tab.goto(page.address)
    before = len(service.ratings())
    card = tab.locator(".title").nth(4)
    title = card.locator("h3").inner_text()
    card.get_by_role("button", name=re.compile("Not for me")).click()
    card.get_by_role("button", name=re.compile("Undo")).wait_for()
    assert title in card.inner_text()
    assert focus(tab).startswith("Undo")
    assert tab.locator(".title").count() == 12  # nothing else moved, and nothing was loaded again
    assert len(service.ratings()) == before + 1
    tab.wait_for_function("() => document.getElementById('live').textContent.includes('not for you')")
    card.get_by_role("button", name=re.compile("Undo")).click()
    card.get_by_role("button", name=re.compile("Not for me")).wait_for()
    assert len(service.ratings()) == before
    card.get_by_role("button", name=re.compile("Want")).click()
    card.get_by_role("button", name=re.compile("On your list")).click()
    card.get_by_role("button", name=re.compile("Want")).wait_for()
    assert len(service.ratings()) == before
    assert complaints == []


def test_a_node_that_stopped_is_told_beside_the_button(tmp_path: Path, chromium: Any) -> None:
    with serving(tmp_path) as (page, _):
        tab, _ = watched(chromium)
        tab.goto(page.address)
    tab.get_by_role("button", name=re.compile("Not for me")).first.click()
    tab.get_by_role("alert").wait_for()
    assert "tacit has stopped, and this was not saved" in tab.get_by_role("alert").inner_text()


def test_with_the_keyboard_alone(served: tuple[Page, Service], chromium: Any) -> None:
    page, service = served
    tab, complaints = watched(chromium)
    tab.goto(page.address)

    def tab_to(wanted: str) -> None:
        for _ in range(80):
            tab.keyboard.press("Tab")
            if focus(tab).startswith(wanted):
                return
        raise AssertionError(f"{wanted} is not reached with the tab key")

    def wait_for_focus(selector: str) -> None:
        """Wait until the browser has moved the focus, which may be later than the page is there."""
        tab.wait_for_function("s => document.activeElement.matches(s)", arg=selector)

    tab.keyboard.press("Tab")
    assert focus(tab) == "Skip to content"
    tab.keyboard.press("Enter")
    wait_for_focus("#main")
    tab_to("Because you liked")
    tab.keyboard.press("Enter")
    assert tab.locator(".why table").first.is_visible()
    title = first_title(tab)
    tab_to("Seen it")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    for _ in range(4):  # one tab stop for all stars; arrows go by half a star
        tab.keyboard.press("ArrowRight")
    tab_to("Save")
    tab.keyboard.press("Enter")
    wait_for_focus("[data-focus]")
    assert focus(tab).startswith("Undo")
    assert [r.value for r in service.ratings() if r.title.startswith(title)] == [3.0]
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => !document.querySelector('.title.done')")
    wait_for_focus("[data-focus]")
    assert not [r for r in service.ratings() if r.title.startswith(title)]
    tab.keyboard.press("Shift+Tab")
    tab.locator("#find").focus()
    tab.keyboard.type("zebra")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**zebra**")
    tab_to("value")
    tab.keyboard.type("9")
    tab.evaluate("document.querySelectorAll('form').forEach(f => f.noValidate = true)")
    tab.keyboard.press("Enter")
    wait_for_focus("[role=alert]")
    assert "allowed: 1 to 5" in focus(tab)  # after a mistake, too
    assert complaints == []


PATHS = ("/", "/?kind=book", "/?q=the", "/?q=zebra", "/data", "/data/check", "/few", "/circle", "/left", "/status",
         "/welcome", "/nothing")  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_and_dark(served: tuple[Page, Service], chromium: Any, scheme: str) -> None:
    page, service = served
    long = "Night Ferry, the Extraordinarily Long Title of a Film Incomprehensibilities (2010)"
    service.rate("film:t:night ferry:2010", 4, long)
    service.ledger.enter(1_700_000_000.0, "ab" * 32, "list", 30, 5, 18_000, 0.4)
    tab, complaints = watched(chromium, color_scheme=scheme, viewport={"width": 320, "height": 700})
    tab.goto(page.address)
    for circle in (False, True):
        if circle:
            service.circle.create("Tuesday films and other things")
            service.circle.link()
        for path in PATHS:
            tab.goto(page.address.split("/?")[0] + path)
            tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            assert fits(tab), path
            small = tab.evaluate(
                "[...document.querySelectorAll('button, nav a, summary, select, .pill, .button, .stars label, "
                "label.check, input:not([type=hidden]):not([type=radio]):not([type=checkbox])')]"
                ".filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.outerHTML)"
            )
            assert small == [], path
    assert [line for line in complaints if "404" not in line] == []
    back = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert back == {"light": "rgb(251, 249, 244)", "dark": "rgb(20, 22, 27)"}[scheme]


def test_without_scripts(served: tuple[Page, Service], chromium: Any) -> None:
    page, service = served
    tab, complaints = watched(chromium, java_script_enabled=False)
    tab.goto(page.address)
    title = first_title(tab)
    card = tab.locator(".title").first
    card.locator(".seen summary").click()
    card.get_by_label("4.5 of 5").check(force=True)
    go(tab, card.get_by_role("button", name="Save"))
    assert f"{title} " in tab.get_by_role("status").inner_text()
    assert [r.value for r in service.ratings() if r.title.startswith(title)] == [4.5]
    go(tab, tab.get_by_role("button", name=re.compile("Undo")))
    assert not [r for r in service.ratings() if r.title.startswith(title)]
    assert first_title(tab) == title
    go(tab, tab.get_by_role("link", name="Films"))
    assert tab.locator(".title").count() == 12
    go(tab, tab.get_by_role("link", name="Ratings"))
    row = tab.locator(".rated").first
    row.locator("summary").click()
    go(tab, row.get_by_role("button", name="Remove"))
    assert "removed" in tab.get_by_role("status").inner_text()
    assert "/data" in tab.url
    assert complaints == []


def test_a_file_is_dropped(served: tuple[Page, Service], chromium: Any) -> None:
    page, _ = served
    tab, complaints = watched(chromium)
    tab.goto(page.address)
    tab.goto(page.address.split("/?")[0] + "/data")
    dropped = tab.evaluate_handle(
        "() => { const d = new DataTransfer();"
        " d.items.add(new File(['title,rating\\nUnheard Of (1949),4\\n'], 'x.csv')); return d; }"
    )
    tab.dispatch_event("[data-drop]", "drop", {"dataTransfer": dropped})
    tab.wait_for_url("**/data/check")
    assert "Keep 1 title" in tab.get_by_role("main").inner_text()
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
