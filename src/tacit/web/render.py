"""Templates: everything that is put in is escaped."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tacit.web import formatting as words
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
        "ago": lambda seconds: words.ago(seconds, time.time()),
        "did": words.did,
        "kind": words.kind,
        "kinds": words.kinds,
        "many": words.many,
        "moment": words.moment,
        "promise": promise,
        "sent": words.sent,
        "share": words.share,
        "size": words.size,
        "state": words.state,
    }
    made.globals.update(said)
    return made
