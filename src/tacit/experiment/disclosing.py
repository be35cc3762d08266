"""What people disclose in a run: the share pi of each, the kinds of items that may leave at all, and how pi is drawn.

With `pi.rule=each-time` (FPL, FedeRank) people learn from all that they have, and updates are held back. With
`fixed-items`, the rule of the live node, what is kept back is drawn once, and is not learned from in what is shared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Ints, Texts
from tacit.core.settings import Flat, Value, is_table
from tacit.data.dataset import Dataset
from tacit.data.disclosure_file import may_leave, read_pi
from tacit.data.per_user_file import missing_note, read_per_user
from tacit.experiment.run_settings import LearningSettings
from tacit.privacy.disclosure import fixed_items
from tacit.protocols.base import Protocol

Mask = npt.NDArray[np.bool_]
SILENCE = (
    "not everything is disclosed: what never comes tells a server something too (an attack by silence, see "
    "docs/explanation/masks.md); tacit audit plays it"
)


@dataclass(frozen=True, slots=True, eq=False)
class Disclosing:
    """What people let out of a data set's table."""

    table: Interactions
    pi: npt.NDArray[np.float64] | None = None
    """What share each user discloses; None: all."""
    may: Mask | None = None
    """Which entries of the table may leave at all; None: all."""
    fixed: bool = False
    """Whether pi draws items once and for all."""

    @property
    def everything(self) -> bool:
        """Whether nothing is held back."""
        return self.pi is None and self.may is None

    def allowed(self, part: Interactions) -> Mask | None:
        """Which entries of a part of the table may leave at all; None: all."""
        return None if self.may is None else self.may[_places(part, self.table)]

    def takes_part(self, part: Interactions, seed: int) -> Mask:
        """Which entries are learned from in what is shared."""
        mask = np.ones(len(part), np.bool_)
        if self.fixed and self.pi is not None:
            mask &= fixed_items(seed, part, self.pi)
        may = self.allowed(part)
        if self.fixed and may is not None:
            mask &= may
        return mask

    def never(self, part: Interactions, seed: int) -> Mask:
        """Which entries never leave: by their kind, by a pi of 0, or by the draw of items."""
        mask = ~self.takes_part(part, seed)
        may = self.allowed(part)
        if may is not None:
            mask |= ~may
        if self.pi is not None:
            mask |= self.pi[part.user] == 0
        return mask

    def notes(self, part: Interactions, seed: int) -> list[str]:
        """What a reader of the result must know."""
        if self.everything:
            return []
        if self.fixed:
            count = int(self.takes_part(part, seed).sum())
            return [
                f"{count:,} of {len(part):,} training interactions are learned from. The others may still be "
                "guessed from what people with the same taste disclose"
            ]
        return [SILENCE]


def read_disclosing(learning: LearningSettings, dataset: Dataset) -> tuple[Disclosing, list[str]]:
    """What each person discloses, and notes for the reader."""
    pi, notes = read_pi(learning.pi, dataset.user_ids)
    may = may_leave(learning.disclose, dataset)
    return Disclosing(dataset.table, pi, may, learning.pi_rule == "fixed-items"), notes


def check_disclosing(disclosing: Disclosing, protocol: Protocol, flat: Flat, images: bool) -> None:
    """Refuse to hold back what nobody sends."""
    if disclosing.everything:
        return
    what, all_of_it = ("pi", "1") if disclosing.pi is not None else ("disclose", "all")
    if images:
        raise BadInput(what, got=flat[what], allowed=f"{all_of_it} with images")
    if not disclosing.fixed and not protocol.discloses:
        allowed = (
            f"{all_of_it} with protocol {protocol.name}, which sends no update that could be held back, "
            "or pi.rule=fixed-items"
        )
        raise BadInput(what, got=flat[what], allowed=allowed)
    if disclosing.fixed and flat["negatives"] == "paper":
        allowed = "honest with pi.rule=fixed-items: negatives that avoid hidden items would tell them"
        raise BadInput("negatives", got="paper", allowed=allowed)


def read_triples(value: Value, user_ids: Texts) -> tuple[Ints | None, list[str]]:
    """How many triples each user draws, where a file says so; -1: a user who is not in it, and draws X+/N."""
    if not isinstance(value, str) or not is_table(value):
        return None, []
    allowed = "a whole number from 0, at most 1000000"
    each = read_per_user("triples", value, user_ids, lambda t: 0 <= t <= 1_000_000 and t == int(t), allowed)
    return np.nan_to_num(each, nan=-1).astype(np.int64), missing_note(each, value, "they draw X+/N (mean)")


def _places(part: Interactions, table: Interactions) -> npt.NDArray[np.int64]:
    """Where each entry of a part stands in the whole table."""
    keys, whole = (one.user.astype(np.int64) * one.items + one.item for one in (part, table))
    return np.searchsorted(whole, keys)
