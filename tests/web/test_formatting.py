from __future__ import annotations

import doctest

import pytest

from tacit.web import covers, formatting, ledger_days, reasons


@pytest.mark.parametrize("module", [covers, formatting, ledger_days, reasons])
def test_examples_in_the_docs(module: object) -> None:
    done = doctest.testmod(module)  # type: ignore[arg-type]
    assert done.attempted > 0
    assert done.failed == 0


@pytest.mark.parametrize(
    ("disclosure", "says"), [(0.01, "very few"), (0.1, "about 1 in 10"), (0.96, "about 10 in 10")]
)
def test_shares_in_words(disclosure: float, says: str) -> None:
    assert says in formatting.share(disclosure)
