"""Finds sentences that are hard to read: in pages, notebooks, recipes, docstrings, and the messages of Python files."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LONGEST = 25
"""Words in a sentence."""

_PER = r"(?:second|minute|hour|day|week|month|year|node|person|user|round|turn|message|epoch|period|device|number)"
_EACH = (
    rf"(?:one|two|three|four) \w+ an? (?:{_PER}|item|row|list)(?=[.,;:)]|$| (?:and|or|for|in|with|at|of)\b)"
)
_RATE = rf"(?:\d[\d.,]* ?(?:[KMG]B|bits?|bytes?|times?|m?s|minutes?)?|[KMG]B|bits?|bytes?|once|twice|times) an? {_PER}"
_NUMBER = r"(?<![\w.@-])[-+±]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?\b"
PATTERNS = {
    "the subject comes first": re.compile(r"(?:^|[.:;] )(?:Who|Whoever)\b[^?]*$"),
    "a rate has per": re.compile(rf"\b{_RATE}\b|\b{_EACH}", re.IGNORECASE),
    "a number has a leading zero": re.compile(r"(?<![\w./\-*\])}:])\.\d+\b"),
    "plain words": re.compile(
        r"\b(?:is|are|was|were) had\b|\bcomes? to (?:the|an?|\d)|\b(?:is|are) told by\b|\bread-outs? (?:is|are) told\b"
        r"|\b(?:takes|taken|took) part\b|\bratings take part\b"
        r"|\b(?:is|are|was|were|has|have|had|not|never) met\b"
        r"|\bWanted was\b|\bin league with\b|\bis content with\b"
    ),
    "no aside between dashes": re.compile(r"\w (?:--|\u2013) \w|\u2014"),
}


class Place(NamedTuple):
    """A piece of text, and where it is."""

    line: int
    text: str
    kind: str
    """prose, cell or message"""


def complaints(path: Path) -> list[str]:
    """What is hard to read in a file, one line each."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    places = {".py": python, ".toml": recipe}.get(path.suffix, markdown)(text)
    return [f"{place.line}: {said}: {place.text[:90]}" for place in places for said in judge(place)]


def judge(place: Place) -> Iterator[str]:
    """The rules that a piece of text breaks.

    >>> list(judge(Place(1, "Who misses a round sends 3 MB a day and has .92.", "prose")))
    ['the subject comes first', 'a rate has per', 'a number has a leading zero']
    >>> list(judge(Place(1, "0.917 / 0.258", "cell")))
    ['one number per cell']
    >>> list(judge(Place(1, "A node that misses a round sends 3 MB per day and has 0.92.", "prose")))
    []
    """
    yield from (said for said, pattern in PATTERNS.items() if pattern.search(place.text))
    if place.kind == "prose" and re.search(r";.*;", place.text):
        yield "one semicolon at most"
    if place.kind == "cell":
        numbers = re.findall(_NUMBER, re.sub(rf"{_NUMBER} to (?={_NUMBER})", "", place.text))
        if len(numbers) > 1 and 3 * len(numbers) >= len(place.text.split()):
            yield "one number per cell"
    elif len(place.text.split()) > LONGEST:
        yield f"a sentence of {len(place.text.split())} words"


def markdown(text: str) -> Iterator[Place]:
    """Sentences and cells of a page, without code."""
    prose: list[str] = []
    begin, fence = 1, False
    for line, raw in enumerate([*text.splitlines(), ""], start=1):
        if raw.lstrip().startswith("```"):
            fence = not fence
            raw = ""
        elif fence:
            continue
        row = raw.strip()
        if row.startswith(("#", "<!--", "%")):
            row = ""  # a heading is a label, and may be a question
        block = re.match(r"(?:[-*>]|\d+\.) ", row)
        if prose and (not row or block or row.startswith("|")):
            yield from sentences(begin, " ".join(prose))
            prose = []
        if row.startswith("|"):
            if not re.fullmatch(r"[|\s:-]+", row):
                cells = re.split(r"(?<!\\)\|", row.strip("|"))[1:]  # the first is a label
                yield from (Place(line, plain(cell).strip(), "cell") for cell in cells)
        elif row and (prose or not raw.startswith("    ")):
            begin = begin if prose else line
            prose.append(row[block.end() :] if block else row)


def recipe(text: str) -> Iterator[Place]:
    """What a recipe file says to people: comments, and the line about the recipe."""
    rows = text.splitlines()
    comments = (row.removeprefix("# ") if re.match(r"# \S", row) else "" for row in rows)  # without tables
    yield from markdown("\n".join(comments))
    for line, row in enumerate(rows, start=1):
        for about, remark in re.findall(r'^about = "(.*)"$|^[^#].*?  # (.*)$', row):
            yield from sentences(line, about or remark)


def sentences(line: int, text: str) -> Iterator[Place]:
    """The sentences of a paragraph."""
    for one in re.split(r"(?<=[.!?])\"?\)?\*{0,2} +(?=[A-Z\"(*`0-9])|(?<=:) +(?=[A-Z])", plain(text)):
        yield Place(line, one.strip(), "prose")


def plain(text: str) -> str:
    """Without code, links and marks."""
    text = re.sub(r"``?[^`]+``?", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\$[^$]+\$", "FORMULA", text)
    return re.sub(r"\*{1,2}(?=\S)|(?<=\S)\*{1,2}", "", text)


def python(text: str) -> Iterator[Place]:
    """Docstrings by sentence, and every other string of four words or more."""
    tree = ast.parse(text)
    strings = {id(node.value): node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            said = "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)  # type: ignore[misc]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            said = node.value
        else:
            continue
        if id(node) in strings:
            yield from docstring(node.lineno, said)
        elif len(re.findall(r"\b[a-z]{2,}", said)) >= 4 and "<" not in said and "\n" not in said:
            yield from (place._replace(kind="message") for place in sentences(node.lineno, said))


def docstring(line: int, text: str) -> Iterator[Place]:
    """Its sentences, without examples, lists of arguments and tables."""
    lines = text.splitlines()
    margin = min((len(row) - len(row.lstrip()) for row in lines[1:] if row.strip()), default=0)
    rows = [lines[0].strip() if lines else "", *(row[margin:] for row in lines[1:])]
    examples = re.compile(r"^>>>.*(?:\n.+)*", re.MULTILINE)
    rows = examples.sub(lambda found: "\n" * found[0].count("\n"), "\n".join(rows)).split("\n")
    rows = ["" if re.search(r"\S {3}|^(?:Args|Returns|Raises):$", row) else row for row in rows]
    rows = [re.sub(r"^    (?=\w+: )", "- ", row) for row in rows]
    yield from (place._replace(line=line + place.line - 1) for place in markdown("\n".join(rows)))
