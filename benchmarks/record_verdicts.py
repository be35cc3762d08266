"""Put what finished reproductions found on record: python benchmarks/record_verdicts.py DIR|FILE...

Each DIR is the --out folder of a full `tacit reproduce PAPER`, each FILE what `tacit reproduce PAPER --finished --out
DIR --json` printed. Then `make docs` writes docs/papers/coverage.md and the pages of measured tables anew.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from tacit.papers import measured, verdicts

TARGET = Path(verdicts.__file__).with_suffix(".csv")


def main(places: list[str]) -> None:
    """Read every result and write verdicts.csv and the paper's measured.csv."""
    for place in places:
        path = Path(place) / "result.json" if Path(place).is_dir() else Path(place)
        day = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
        told = json.loads(path.read_text(encoding="utf-8"))
        numbers = measured.numbers_of(told, day)
        every = measured.merged_numbers(measured.recorded_numbers(told["paper"]), numbers)
        new = verdicts.from_result(told, day, every)
        TARGET.write_text(verdicts.merged(verdicts.recorded(), new), encoding="utf-8")
        target = TARGET.parent / told["paper"] / "measured.csv"
        target.write_text(measured.as_text(every), encoding="utf-8")
        print(f"{place}: {len(new)} lines into {TARGET}, {len(numbers)} numbers into {target}")


if __name__ == "__main__":
    main(sys.argv[1:])
