"""Render templates of the page. Everything put into them is escaped, except a figure's SVG, which we draw."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from tacit.report.figures.style import line_style, marker_path
from tacit.report.formatting import MISSING

Html = Markup
"""Text that is HTML already. A template puts it in as it is."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as SVG, and the words below it."""

    svg: str
    caption: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A value that stands out: as the best of its column, or by an HTML element around it."""

    value: object
    by: Literal["best", "strong", "b", "code"] = "best"


def render(template: str, /, **values: Any) -> Html:
    """The HTML that a template makes of what it is given."""
    return Html(_environment().get_template(template).render(values))


def as_text(value: object) -> object:
    """A value as people write it: a list with commas, yes or no, and a dash for a missing value."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, list | tuple):
        return ", ".join(str(as_text(part)) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{as_text(key)}: {as_text(part)}" for key, part in value.items())
    return value


def breakable(text: str) -> Html:
    """A long name that may go on in the next line after a slash, and not within a word."""
    return Html(escape(text).replace("/", Html("/<wbr>")))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("tacit.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=as_text,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals |= {"line_style": line_style, "marker_path": marker_path}
    made.filters["breakable"] = breakable
    made.tests["marked"] = lambda value: isinstance(value, Marked)
    return made
