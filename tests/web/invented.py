"""A start of invented titles, whose rows have a taste: what tests and pictures of the page are made of."""

from __future__ import annotations

import numpy as np

from tacit.node.catalogue.item_keys import film_key
from tacit.node.service import Service
from tacit.node.start.hues import hues_of
from tacit.node.start.rows_file import Start, half
from tacit.node.start.rule import PublicRows

TASTES = (
    "Night Ferry; Salt Road; Harbour Lights; The Lighthouse Ledger; Tide Table; Low Water; The Pilot's Daughter; "
    "Breakwater; Grey Hours; Nine Fathoms; The Drowned Bell; Slack Tide",
    "Paper Boats; A Kite for Amal; The Small Brass Band; Sunday Bicycle; Marmalade; The Year of Good Plums; "
    "My Uncle's Balloon; Lemon Street; The Cat Who Stayed; Picnic in March; Two Spoons; A Room with Geese",
    "Winter Signal; Orbit of Glass; The Last Cartographer; Cold Array; Ninth Moon Station; Quiet Machines; "
    "The Hollow Sun; Meridian; A Clock for Saturn; Vacuum Garden; The Long Relay; Tomorrow, Again",
    "Certified Pier; The Alibi Season; Dead Letter Office; Copper Street; A Witness in Wool; The Ninth Juror; "
    "Smoke on the Stairs; Blackout Lane; The Locksmith; Cash Only; The Man in Room Four; Counterfeit",
    "Blue Orchard; Letters to Vera; The Dancing Master; Rain in Trieste; A Proper Goodbye; Velvet Hour; "
    "The Violin Teacher; June Without You; The Understudy; Slow Train to Lisbon; Half a Waltz; Ballroom Closing",
    "Iron Valley; The Standard Bearer; Field of Crows; The Cartwright Brothers; Winter Campaign; Dust and Bugles; "
    "The Ford at Dawn; Hill Sixty; The Quartermaster; Red Banner; The Long Surrender; Border Post",
)  # fmt: skip
PER_TASTE = 12


def invented_start(seed: int = 3) -> Start:
    """Six tastes of twelve films; films of a taste are liked by the same people."""
    rng = np.random.default_rng(seed)
    names = [name for taste in TASTES for name in taste.split("; ")]
    years: list[int | None] = [1948 + (i * 29) % 72 for i in range(len(names))]
    circle = 2 * np.pi * np.arange(len(TASTES)) / len(TASTES)
    middles = np.column_stack([np.cos(circle), np.sin(circle), rng.normal(0, 0.3, (len(TASTES), 6))])
    rows = 0.45 * np.repeat(middles, PER_TASTE, axis=0) + rng.normal(0, 0.12, (len(names), 8))
    people = rng.normal(0.1, 0.5, (500, 8))
    public = half(
        PublicRows(
            rows=rows, counts=(40 + 25 * rng.random(len(names)) ** 2 * 20).astype(np.int64), mean=people.mean(0),
            precision=np.linalg.inv(np.cov(people.T)), w0=0.05, reg=0.35, mean_likes=20.0,
            calibration=(1.0, 3.0, 0.0, 1.0),
        )
    )  # fmt: skip
    return Start(
        public,
        [film_key(name, year) for name, year in zip(names, years, strict=True)],
        [f"{name} ({year})" for name, year in zip(names, years, strict=True)],
        years,
        hues_of(public.rows, public.counts),
        "invented films",
        "made up for tests",
        "by a test, from rows drawn at random",
    )


def say_what_ana_likes(service: Service, start: Start) -> None:
    """Ratings of one person: much of the sea, some of space, little love of war."""
    given = {0: 5.0, 1: 4.5, 3: 4.0, 6: 4.5, 24: 4.0, 26: 5.0, 29: 3.5, 41: 3.0, 13: 4.0, 50: 2.5, 61: 1.5}
    for number, (place, stars) in enumerate(given.items()):
        service.rate(start.keys[place], stars, start.titles[place])
        assert number < len(start)
    service.say(start.keys[30], "want", start.titles[30])
    service.say(start.keys[62], "disliked", start.titles[62])
    service.say(start.keys[44], "seen", start.titles[44])
