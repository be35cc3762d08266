"""What a check says: one sentence, and one remedy where it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "attention", "problem"]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor."""

    name: str
    state: State
    says: str
    do: str = ""


def ok(name: str, says: str) -> Check:
    """It works."""
    return Check(name, "ok", says)


def attention(name: str, says: str, do: str) -> Check:
    """It works in part, or will not for long."""
    return Check(name, "attention", says, do)


def problem(name: str, says: str, do: str) -> Check:
    """It does not work."""
    return Check(name, "problem", says, do)
