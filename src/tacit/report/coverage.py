"""What `tacit reproduce` covers: every table, figure and claim, as a list and as docs/papers/coverage.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from tacit.papers.base import Exhibit, Paper
from tacit.papers.item_names import number_of
from tacit.papers.reproduce import paper_named, papers
from tacit.papers.verdicts import Recorded, recorded
from tacit.report.markdown import table

_HEAD = """# Coverage: every table, figure and claim

Written by `tacit reproduce --list --markdown` (`make docs`); a test keeps it true. A command makes each table or
figure anew, with our numbers beside the paper's. Without a number, as in `tacit reproduce pepper`, it makes all of a
paper's and judges its claims.

A claim *holds* in all cases, *holds in N of M* in more than half of them, and otherwise *does not hold*. A case is a
data set, an algorithm or a setting: the reproduction names them with their numbers. A verdict rests on the runs that
were finished, with the version and day of the measurement. Where these are not all runs of its tables and figures,
"found" says so. *6 of 9 measured agree, 21 printed*: we compared nine of our numbers, and the paper prints 21. *To be
measured*: no finished runs decide the rule yet.
"""
_UNMEASURED = "to be measured"


def items_of(paper: Paper) -> list[dict[str, Any]]:
    """Every table and figure of a paper: what it is called, the command that makes it, the claims that rest on it."""
    found = []
    for exhibit in paper.exhibits:
        for item in exhibit.items or (exhibit.name,):
            found.append(_shown(paper, exhibit, item))
    for item, why in paper.left_out.items():
        found.append({"item": item, "title": why, "command": None, "claims": [], "ours": False})
    return sorted(found, key=lambda one: (one["ours"], number_of(one["item"])))


def _shown(paper: Paper, exhibit: Exhibit, item: str) -> dict[str, Any]:
    kind, _, number = item.partition("-")
    option = f"--{kind} {number}" if kind in ("table", "figure") and number else f"--table {item}"
    claims = [claim.name for claim in paper.claims if exhibit.name in (*claim.needs, *claim.cites)]
    command = f"tacit reproduce {paper.name} {option}"
    return {
        "item": item,
        "title": exhibit.title,
        "command": command,
        "claims": claims,
        "ours": not exhibit.items,
    }


def coverage(names: Sequence[str] = ()) -> dict[str, Any]:
    """The same for several papers, and their claims with the verdicts of the last full runs."""
    known = recorded()
    told = {}
    for name in names or papers():
        paper = paper_named(name)
        claims = [
            {
                "claim": claim.name,
                "text": claim.text,
                "source": claim.source,
                "measure": claim.measure,
                "needs": list(claim.needs),
                "verdict": line.verdict if (line := known.get((name, claim.name))) else None,
                "found": line.found if line else None,
                "measured": f"{line.version}, {line.measured}" if line else None,
            }
            for claim in paper.claims
        ]
        told[name] = {"title": paper.title, "items": items_of(paper), "claims": claims}
    return {"papers": told}


def list_table(name: str, told: Mapping[str, Any]) -> Table:
    """For a terminal."""
    out = Table(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title=Text(told["title"]), title_justify="left"
    )
    for title in ("Item", "What", "Claims"):
        out.add_column(title, overflow="fold", no_wrap=title == "Item")
    for item in told["items"]:
        style = "" if item["command"] else "dim"
        out.add_row(Text(item["item"], style), Text(item["title"], style), Text(", ".join(item["claims"])))
    return out


def coverage_page() -> str:
    """Markdown for docs/papers/coverage.md."""
    known = recorded()
    parts = [_HEAD]
    for name, told in coverage()["papers"].items():
        parts.append(f"## {told['title']}\n")
        parts.append(
            table(("table or figure", "command", "claims", "numbers"), _item_rows(name, told, known))
        )
        claims = table(
            ("claim", "the paper says", "where", "verdict", "found", "measured"), _claim_rows(told)
        )
        parts.append(f"<!-- claims of {name} -->\n\n{claims}\n<!-- end of claims of {name} -->\n")
    return "\n".join(parts)


def _item_rows(
    name: str, told: Mapping[str, Any], known: Mapping[tuple[str, str], Recorded]
) -> list[list[str]]:
    shown_in = {
        item: exhibit for exhibit in paper_named(name).exhibits for item in exhibit.items or (exhibit.name,)
    }
    rows = []
    for item in told["items"]:
        label = item["item"].replace("-", " ", 1) + (" (ours)" if item["ours"] else "")
        if item["command"] is None:
            rows.append([label, item["title"], "", ""])
            continue
        exhibit = shown_in[item["item"]]
        line = known.get((name, exhibit.name))
        agree = line.verdict if line else _without_a_record(exhibit)
        rows.append([label, f"`{item['command']}`", ", ".join(item["claims"]), agree])
    return rows


def _without_a_record(exhibit: Exhibit) -> str:
    """Nothing where no number is printed; where all are of data that few people have, which data these are."""
    printed = [row for row in exhibit.rows(False) if row.paper is not None]
    if printed and all(row.wanted.optional for row in printed):
        return f"printed for {', '.join(dict.fromkeys(row.panel for row in printed))} only"
    anything = printed or any(fact.paper is not None for fact in exhibit.facts(False))
    return _UNMEASURED if anything else ""


def _claim_rows(told: Mapping[str, Any]) -> list[list[str]]:
    return [
        [
            c["claim"],
            c["text"],
            c["source"],
            c["verdict"] or _UNMEASURED,
            c["found"] or "",
            c["measured"] or "",
        ]
        for c in told["claims"]
    ]
