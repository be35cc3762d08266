"""Small pieces of HTML. Whatever comes in as text is escaped here; `Html` marks what is markup already."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from tacit.report.formatting import MISSING


class Html(str):
    """Text that is markup and must not be escaped again."""

    __slots__ = ()


def text(value: object) -> Html:
    """Any value as safe text: numbers and lists written for people, None as a dash."""
    if isinstance(value, Html):
        return value
    if value is None:
        return Html(MISSING)
    if isinstance(value, bool):
        return Html("yes" if value else "no")
    if isinstance(value, float):
        return Html(f"{value:.10g}" if math.isfinite(value) else MISSING)
    if isinstance(value, list | tuple):
        return Html(", ".join(text(part) for part in value))
    if isinstance(value, Mapping):
        return Html(", ".join(f"{text(key)}: {text(part)}" for key, part in value.items()))
    return Html(escape(str(value)))


def element(name: str, *content: object, **attributes: object) -> Html:
    """`element("p", "a < b", class_="lead")` -> `<p class="lead">a &lt; b</p>`."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Html(f"<{name}{told}>{''.join(text(part) for part in content)}</{name}>")


def section(name: str, title: str, *content: object) -> Html:
    """A part of the page with its heading, reachable as #name."""
    heading = element("h2", title, id=f"{name}-title")
    return element("section", heading, *content, id=name, aria_labelledby=f"{name}-title")


def table(
    caption: str, headers: Sequence[object], rows: Iterable[Sequence[object]], *, numeric: bool = True
) -> Html:
    """A table whose first column names its rows, in a box that scrolls by itself on a narrow screen."""
    kind = "numeric" if numeric else None
    head = element("tr", *(element("th", cell, scope="col") for cell in headers))
    body = [element("tr", _row_name(first), *(element("td", cell) for cell in rest)) for first, *rest in rows]
    whole = element(
        "table", element("caption", caption), element("thead", head), element("tbody", *body), class_=kind
    )
    return element("div", whole, class_="scroll", tabindex=0, role="region", aria_label=caption)


def best_cell(value: object) -> Html:
    """A cell's value marked as the best of its column, for the eye and for screen readers."""
    return element("strong", element("span", "best", class_="best"), " ", value)


def _row_name(name: object) -> Html:
    return element("th", name, scope="row", class_="short" if len(str(name)) <= 24 else None)


def pairs(entries: Mapping[str, Any]) -> Html:
    """Names and their values."""
    return element(
        "dl", *(element("div", element("dt", name), element("dd", value)) for name, value in entries.items())
    )


def picture(svg: str, caption: object) -> Html:
    """A figure with its caption."""
    return element("figure", Html(svg), element("figcaption", caption))


def bullets(lines: Iterable[object], *, ordered: bool = False) -> Html:
    """A list."""
    return element("ol" if ordered else "ul", *(element("li", line) for line in lines))
