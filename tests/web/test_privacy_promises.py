"""What the page promises, and that it asks nothing of anybody else."""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tacit
from tacit.web.privacy_promises import PROMISES
from tests.web.invented import invented_start
from tests.web.site import FixedService, Real, browser
from tests.web.test_gate import paths

ROOT = Path(__file__).parents[2]
WEB = Path(tacit.__file__).parent / "web"


@pytest.mark.parametrize("name", sorted(PROMISES))
def test_every_promise_has_a_test(name: str) -> None:
    assert PROMISES[name][1]
    for place in PROMISES[name][1]:
        assert _is_there(place), place


def _is_there(place: str) -> bool:
    file, _, test = place.partition("::")
    tree = ast.parse((ROOT / file).read_text())
    return test in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_promise_is_made_somewhere() -> None:
    made = "".join(
        path.read_text()
        for path in [*(WEB / "templates").iterdir(), WEB / "formatting.py", WEB / "mode_line.py"]
    )
    assert set(re.findall(r'promise\("(\w+)"\)', made)) == set(PROMISES)


def test_words_that_promise_too_much_are_not_used() -> None:
    text = " ".join(
        path.read_text()
        for path in [*(WEB / "templates").iterdir(), WEB / "formatting.py", WEB / "mode_line.py"]
    ).lower()
    text = re.sub(r"\{[{%].*?[}%]\}|<[^>]*>", " ", text)
    for word in ("anonymous", "private", "secure", "gradient", "embedding", "100 %"):
        assert not re.search(rf"\b{re.escape(word)}\b", text), word


class _References(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inline: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "href", "action", "srcset", "data", "poster", "formaction"):
                self.found.append(value or "")
            if name == "style" or name.startswith("on") or (tag == "script" and not dict(attrs).get("src")):
                self.inline.append(tag)


@pytest.mark.parametrize("node", ["research", "alone", "circle"])
def test_nothing_on_the_page_points_elsewhere(tmp_path: Path, node: str) -> None:
    client = browser(tmp_path, alone=node != "research", service=FixedService if node == "research" else Real)
    client.service.rate("film:t:night ferry:2010", 4, "Night Ferry (2010)")
    client.service.ledger.enter(1.0, "a", "update", 3, 1, 100, 1.0)
    if node != "research":
        client.service.suggestions.set_start(invented_start())
    if node == "circle":
        client.service.circle.create("Friends")
        client.service.circle.link()
    pages = [client.get(path) for path in [*paths(client, "GET"), "/?q=zebra", "/nothing"]]
    assert len(pages) > 15
    for page in pages:
        if "html" not in page.headers["content-type"]:
            continue
        seen = _References()
        seen.feed(page.text)
        assert all(re.match(r"/(?!/)|#|data:,|$", link) for link in seen.found), seen.found
        assert seen.inline == []


def test_scripts_and_styles_are_small_and_point_nowhere() -> None:
    for path in (WEB / "static").iterdir():
        assert "//" not in re.sub(r"^//.*$|/\*.*?\*/|\s//.*$", "", path.read_text(), flags=re.MULTILINE), path
    assert sorted(path.name for path in (WEB / "static").iterdir()) == ["tacit.css", "tacit.js"]
    assert len((WEB / "static" / "tacit.js").read_bytes()) < 5000
