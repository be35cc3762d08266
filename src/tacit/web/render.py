"""The Jinja environment of the page. Everything that is put into a template is escaped."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tacit.web import formatting
from tacit.web.privacy_promises import promise

HERE = Path(__file__).parent


def environment() -> Environment:
    """The page's templates, with the words they use."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    said: dict[str, Any] = {
        "ago": lambda seconds: formatting.ago(seconds, time.time()),
        "clock": formatting.clock,
        "day": lambda when: formatting.day(when, date.today()),
        "did": formatting.did,
        "kind": formatting.kind,
        "kinds": formatting.kinds,
        "listed": formatting.listed,
        "many": formatting.many,
        "moment": formatting.moment,
        "promise": promise,
        "sent": formatting.sent,
        "share": formatting.share,
        "size": formatting.size,
        "stars": formatting.stars,
        "told": formatting.told,
    }
    made.globals.update(said)
    return made
