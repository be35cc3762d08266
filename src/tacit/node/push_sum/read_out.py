"""The rows a node last read out of sums: what it recommends by, and begins the next epoch with."""

from __future__ import annotations

import numpy as np

from tacit.core.message.half_precision import Singles
from tacit.core.node_state import NodeState
from tacit.node.catalogue.row_index import NOWHERE, Hashes, RowIndex


class ReadOut:
    """Rows by name. A row's age is how many people have the item; dense holds how many items people have on average."""

    def __init__(self, cap: int, width: int) -> None:
        self._cap, self._width = cap, width
        self.rounds = 0
        """Good read-outs so far."""
        self._keep(np.zeros(0, np.uint64), np.zeros((0, width), np.float32), np.zeros(0, np.int32), -1.0)

    def keep(self, names: Hashes, rows: Singles, people: Singles, mean_had: float) -> None:
        """What was read out; `people`: how many have each item, by the sums."""
        self._keep(names, rows, np.rint(np.maximum(people, 0)).astype(np.int32), mean_had)
        self.rounds += 1

    def _keep(self, names: Hashes, rows: Singles, ages: np.ndarray, mean_had: float) -> None:
        self.row_index = RowIndex(self._cap)
        self.row_index.append(names, 0)
        dense, private = np.array([mean_had], np.float32), np.zeros(self._width, np.float32)
        self.state = NodeState(rows, ages, dense, self.rounds, private)

    def rows_of(self, names: Hashes) -> Singles:
        """Rows by name, zero where none was read out."""
        rows = np.zeros((len(names), self._width), np.float32)
        at = self.row_index.find(names)
        rows[at != NOWHERE] = self.state.rows[at[at != NOWHERE]]
        return rows

    def foremost(self, names: Hashes, count: int) -> Hashes:
        """Of some rows, ascending, `count` at most: those that most people have."""
        if len(names) <= count:
            return names
        at = self.row_index.find(names)
        people = np.zeros(len(names), np.int64)
        people[at != NOWHERE] = self.state.ages[at[at != NOWHERE]]
        return np.sort(names[np.argsort(-people, kind="stable")[:count]])

    def save(self) -> dict[str, bytes]:
        """All of it."""
        s = self.state
        parts = {
            "good_names": self.row_index.names,
            "good_rows": s.rows,
            "good_ages": s.ages,
            "good_had": s.dense,
        }
        parts["good_count"] = np.array([self.rounds])
        return {name: np.ascontiguousarray(part).tobytes() for name, part in parts.items()}

    def restore(self, parts: dict[str, bytes]) -> None:
        """Go on from what `save` gave; a clear error where it is of another model."""
        names = np.frombuffer(parts["good_names"], np.uint64)
        rows = np.frombuffer(parts["good_rows"], np.float32)
        if len(rows) != len(names) * self._width:
            raise ValueError("the saved model has rows of another width")
        self.rounds = int(np.frombuffer(parts["good_count"], np.int64)[0])
        ages, had = np.frombuffer(parts["good_ages"], np.int32), np.frombuffer(parts["good_had"], np.float32)
        self._keep(names.copy(), rows.reshape(len(names), self._width).copy(), ages.copy(), float(had[0]))
