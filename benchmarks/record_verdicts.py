"""Put the verdicts of finished reproductions on record: python benchmarks/record_verdicts.py DIR...

Each DIR is the --out folder of a full `tacit reproduce PAPER`. Then `make docs` writes docs/papers/coverage.md anew.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from tacit.papers import verdicts

TARGET = Path(verdicts.__file__).with_suffix(".csv")


def main(folders: list[str]) -> None:
    """Read every folder's result.json and write verdicts.csv."""
    for folder in folders:
        path = Path(folder) / "result.json"
        day = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
        new = verdicts.from_result(json.loads(path.read_text(encoding="utf-8")), day)
        TARGET.write_text(verdicts.merged(verdicts.recorded(), new), encoding="utf-8")
        print(f"{folder}: {len(new)} lines into {TARGET}")


if __name__ == "__main__":
    main(sys.argv[1:])
