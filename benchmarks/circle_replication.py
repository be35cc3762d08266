"""How fast lists reach everybody in a circle, and how many bytes that takes: real agents and stores in virtual time.

    python benchmarks/circle_replication.py                 20 trials of each schedule
    python benchmarks/circle_replication.py --trials 200
    python benchmarks/circle_replication.py --trials 0      bytes only

    one always on    one of five people is always on, the others 30 minutes a day at a random time
    evenings         five people, each on for 30 minutes at random within the same two hours of the evening
    bytes            eight people, always on, with 500 likes each; the first day, a day with ten new likes each, and a
                     day on which one of them rates 60 titles within an hour

Everybody is in the circle before the first day and shares what they like from then on. A trial counts the days until
everybody has everybody's list. Bytes are those of our messages and answers; what the network library adds is not in
them. Ends with 1 where a claim does not hold.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import numpy as np

from tacit.core.rng import Stream, uniform
from tacit.node.service import Service
from tacit.node.store.records import Rating
from tacit.testing.memory_circle import ALL, NOTHING, MemoryCircle, Session

DAY, SESSION, EVENING = 86_400.0, 1_800.0, 7_200.0
LIKES, NEW_LIKES, FEW = 500, 10, 20
"""Likes of a person where bytes are counted, new ones per day, and likes of a person where days are counted."""
BUSY, PAUSE = 60, 60.0
"""Ratings of one person in one evening, and seconds between them."""
LONGEST = 10
"""Days after which a trial ends."""
MOST_BYTES = 1_000_000
Schedule = Callable[[list[str], int, int], list[Session]]
"""(names, trial, day) -> who is on when."""


def title(person: int, number: int) -> str:
    """A key as long as most, of random letters: nothing can be saved by compressing it."""
    word = blake2b(f"{person} {number}".encode(), digest_size=10).hexdigest()
    return f"film:t:{word[:12]} {word[12:]}:2001"


def circle(folder: Path, people: int, likes: int = LIKES) -> MemoryCircle:
    """People who are all in the circle and share nothing yet."""
    made = MemoryCircle(folder, poll=30.0)
    for person in range(people):
        made.add(f"P{person}", [title(person, n) for n in range(likes)], share=NOTHING)
    everybody = [Session(name, 0, 900) for name in made.people]
    made.run(everybody)
    assert len(made.lists_heard()) == people**2
    return made


def one_always_on(names: list[str], trial: int, day: int) -> list[Session]:
    """The first is on all day."""
    starts = [uniform(trial, Stream.CHURN, n, day, 0) * (DAY - SESSION) for n in range(1, len(names))]
    found = [Session(name, at, at + SESSION) for name, at in zip(names[1:], starts, strict=True)]
    return [Session(names[0], 0, DAY), *found]


def evenings(names: list[str], trial: int, day: int) -> list[Session]:
    """Everybody is on once within two hours."""
    starts = [uniform(trial, Stream.CHURN, n, day, 0) * (EVENING - SESSION) for n in range(len(names))]
    return [Session(name, at, at + SESSION) for name, at in zip(names, starts, strict=True)]


def days_until_all(source: MemoryCircle, folder: Path, schedule: Schedule, trial: int) -> int:
    """Days until everybody has everybody's list; LONGEST + 1 where that does not happen."""
    shutil.copytree(source.home, folder)
    people = {name: Service(folder / name) for name in source.people}
    copy = MemoryCircle(folder, poll=source.poll, people=people)
    try:
        before = copy.lists_heard()
        for service in people.values():
            service.circle.share(ALL)
        for day in range(1, LONGEST + 1):
            copy.run(schedule(list(people), trial, day))
            now = copy.lists_heard()
            if all(now[pair] > before[pair] for pair in now):
                return day
        return LONGEST + 1
    finally:
        for service in people.values():
            service.close()
        shutil.rmtree(folder)


def bytes_per_day(folder: Path, people: int) -> list[int]:
    """Bytes that the busiest node sends on the first day, with ten more likes of everybody, and on a busy evening."""
    made = circle(folder, people)
    for service in made.people.values():
        service.circle.share(ALL)

    def like(now: float) -> None:
        for person, service in enumerate(made.people.values()):
            service.rating_store.rate([Rating(title(person, LIKES + int(now)), "", value=5.0)])

    def rate(now: float) -> None:
        if now < BUSY * PAUSE:
            last = list(made.people.values())[-1]
            last.rating_store.rate([Rating(title(people, int(now)), "", value=5.0)])

    days = (lambda now: None, DAY), (like, DAY / NEW_LIKES), (rate, PAUSE)
    return [_busiest(made, watch, every) for watch, every in days]


def _busiest(made: MemoryCircle, watch: Callable[[float], None], every: float) -> int:
    """Bytes that the busiest node sends on a day on which everybody is on."""
    before = made.bytes_sent()
    made.run([Session(name, 0, DAY) for name in made.people], watch=watch, every=every)
    after = made.bytes_sent()
    return max(after[name] - before[name] for name in before)


def main() -> int:
    """Print a table; 1 where a claim does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=20, help="of each schedule; 0: bytes only")
    chosen = parser.parse_args()
    missed = []
    with tempfile.TemporaryDirectory(prefix="tacit-circle-") as name:
        folder = Path(name)
        source = circle(folder / "five", 5, FEW)
        for word, schedule, days, share in (
            ("one always on", one_always_on, 2, 1.0),
            ("evenings", evenings, 5, 0.95),
        )[: 2 if chosen.trials else 0]:
            began = time.process_time()
            found = np.array(
                [days_until_all(source, folder / "trial", schedule, n) for n in range(chosen.trials)]
            )
            within = " ".join(str((found <= day).sum()) for day in range(1, 6))
            spent = time.process_time() - began
            print(
                f"{word}: of {chosen.trials} trials done within 1 to 5 days: {within}; {spent:.0f} s of CPU",
                flush=True,
            )
            if (found <= days).mean() < share:
                missed.append(f"{word}: {share:.0%} within {days} days")
        began = time.process_time()
        first, later, evening = bytes_per_day(folder / "eight", 8)
        spent = time.process_time() - began
        print(
            f"bytes sent by the busiest of eight nodes: {first:,} on the first day, {later:,} on a later one, "
            f"{evening:,} with an evening of {BUSY} ratings; {spent:.0f} s of CPU"
        )
        if max(first, later, evening) > MOST_BYTES:
            missed.append(f"bytes: at most {MOST_BYTES:,} per day")
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
