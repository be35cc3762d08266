"""Every command in the README and the guide is typed by a test: here, or in a test of the page's own."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tacit.cli.main import call
from tests.cli.test_node_alone import write_public
from tests.docs.pages import DOCS, commands, page, scripts
from tests.node.importers.exports import zip_bytes
from tests.node.importers.test_letterboxd import ZIP

ROOT = DOCS.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ELSEWHERE = {
    "tacit reproduce pepper --table 2": "tests/papers/pepper/test_paper.py",
    "tacit node start": "tests/cli/test_node_alone.py",
    "tacit node join TICKET": "tests/cli/test_node_command.py",
    "tacit node import [FORMAT] FILE [--map NAME=VALUE,...] [--dry-run] [--skipped FILE.csv] [--json]": (
        "tests/cli/test_node_import.py"
    ),
}
"""What needs a network, a page or hours, or is a pattern: the test that covers it."""
QUICK = {
    "compare": ["--set", "hours=2", "--set", "split.n=1"],
    "audit": ["--data", "public.csv", "--set", "rounds=2", "--set", "data.min_user=2"],
    "run": ["--set", "data.min_user=1"],
}


def type_them(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands of a page in their order, on small data; each `init` makes a node of its own."""
    nodes = 0
    for command in commands(text):
        if command in ELSEWHERE:
            assert (ROOT / ELSEWHERE[command]).is_file()
            continue
        words = shlex.split(command)[1:]
        words = ["public.csv" if word.startswith("movielens-") else word for word in words]
        nodes += words[:2] == ["node", "init"]
        more = ["--home", f"node-{nodes}"] if words[0] == "node" else QUICK.get(words[0], [])
        assert call([*words, *more]) == 0, f"{command}\n{capsys.readouterr().err}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_public(tmp_path / "public.csv")
    (tmp_path / "ratings.csv").write_bytes((tmp_path / "public.csv").read_bytes())
    for name in ("ratings.zip", "export.zip"):
        (tmp_path / name).write_bytes(zip_bytes(ZIP))
    return tmp_path


def test_the_readme(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (script,) = scripts(README)
    exec(compile(script, "README.md", "exec"), {})
    assert capsys.readouterr().out in README, "what it prints stands below it"
    assert (folder / "curve.pdf").is_file()
    type_them(README, folder, capsys)
    assert (folder / "runs" / "two" / "report.html").is_file()


@pytest.mark.parametrize("name", ["guide/node.md", "guide/importing.md", "guide/page.md"])
def test_pages_on_the_node(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    type_them(page(name), folder, capsys)


def test_no_page_is_forgotten() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    shown = [
        path
        for path in sorted((DOCS / "guide").glob("*.md"))
        if commands(path.read_text()) or scripts(path.read_text())
    ]
    names = {path.relative_to(DOCS).as_posix() for path in shown}
    assert {name for name in names if f'"{name}"' not in tests} == set()
