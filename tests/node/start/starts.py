"""A small start that tests share: 200 titles of invented rows."""

from __future__ import annotations

import numpy as np

from tacit.node.catalogue.item_keys import film_key
from tacit.node.start.hues import hues_of
from tacit.node.start.rows_file import Start, half
from tacit.node.start.rule import PublicRows


def public_rows(items: int = 200, k: int = 8, seed: int = 0) -> PublicRows:
    rng = np.random.default_rng(seed)
    people = rng.normal(0.2, 0.5, (500, k))
    return half(
        PublicRows(
            rows=rng.normal(0, 0.3, (items, k)),
            counts=np.arange(1, items + 1),
            mean=people.mean(0),
            precision=np.linalg.inv(np.cov(people.T)),
            w0=0.05,
            reg=0.35,
            mean_likes=40.0,
            calibration=(1.0, 3.0, 0.0, 1.0),
        )
    )


def start(items: int = 200, seed: int = 0) -> Start:
    public = public_rows(items, seed=seed)
    names = [f"Film {_letters(i)}" for i in range(items)]
    years: list[int | None] = [1920 + i % 100 for i in range(items)]
    return Start(
        public,
        [film_key(name, year) for name, year in zip(names, years, strict=True)],
        [f"{name} ({year})" for name, year in zip(names, years, strict=True)],
        years,
        hues_of(public.rows, public.counts),
        "invented",
        "free",
        "by a test",
    )


def _letters(number: int) -> str:
    """A name without digits: numbers in titles are parts of stories."""
    return chr(97 + number // 26) + chr(97 + number % 26) + "x"
