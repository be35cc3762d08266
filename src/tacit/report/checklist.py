"""Every item of the papers against the code, as docs/papers/checklist.md."""

from __future__ import annotations

from collections import Counter

from tacit.papers.base import reference
from tacit.papers.reproduce import paper_named, papers
from tacit.report.markdown import table

STATES = ("as written", "documented deviation", "not built")
_HEAD = """# Checklist: every item of the papers

Written by `make docs` from `src/tacit/papers/checklist.csv`; a test keeps it true. An item is an equation, a line of an
algorithm, a setting of an experiment, a data set, a table, a figure or a claim.

| state | means |
| --- | --- |
| as written | the default does what the text says; a table, figure or claim comes out of `tacit reproduce` |
| documented deviation | the default differs, or the text leaves a choice; the remark and the paper's page say how |
| not built | future work of the papers that is not there |

As written does not mean that our numbers agree with the printed ones: [coverage](coverage.md) says that.
"""


def checklist_page() -> str:
    """Markdown for docs/papers/checklist.md."""
    rows = reference("checklist")
    titles = {name: paper_named(name).title for name in papers()}
    counts = {name: Counter(row["state"] for row in rows if row["paper"] == name) for name in titles}
    parts = [
        _HEAD,
        table(
            ("paper", "items", *STATES),
            [
                [titles[name], str(count.total()), *(str(count[state]) for state in STATES)]
                for name, count in counts.items()
            ],
        ),
    ]
    for name, title in titles.items():
        parts.append(f"## {title}\n")
        lines = [
            [row["item"], row["source"], row["state"], f"`{row['where']}`", row["remark"]]
            for row in rows
            if row["paper"] == name
        ]
        parts.append(table(("item", "in the paper", "state", "in tacit", "remark"), lines))
    return "\n".join(parts)
