"""What every page of documentation keeps: links that lead somewhere, a reference that is up to date."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from docs.generate import pages
from tests.docs.pages import DOCS, page

ROOT = DOCS.parent
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
_FOLDERS = "|".join(folder.name for folder in (ROOT / "src" / "tacit").iterdir() if folder.is_dir())
_SOURCE = re.compile(rf"`((?:{_FOLDERS}|tests|benchmarks|hosts|peers|shields)/[\w/.]+)`")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_and_names_of_files_lead_somewhere(path) -> None:  # type: ignore[no-untyped-def]
    text = path.read_text(encoding="utf-8")
    links = [link for link in _LINK.findall(text) if "://" not in link]
    broken = [link for link in links if not (path.parent / link).exists()]
    named = [name.rstrip("/") for name in _SOURCE.findall(text)]
    broken += [name for name in named if not ((ROOT / name).exists() or (ROOT / "src/tacit" / name).exists())]
    assert broken == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_blank_line_follows_every_table(path) -> None:  # type: ignore[no-untyped-def]
    rows = re.sub(
        r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    ).splitlines()
    swallowed = [
        below
        for row, below in pairwise(rows)
        if row.startswith("|") and below.strip() and not below.startswith("|")
    ]
    assert swallowed == []


@pytest.mark.parametrize("name", sorted(pages()))
def test_generated_pages_are_what_the_code_says(name: str) -> None:
    assert page(name) == pages()[name], "make docs writes it anew"
