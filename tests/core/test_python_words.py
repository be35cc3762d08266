from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.core.python_words import in_python, python_words


@pytest.mark.parametrize(
    ("said", "reads"),
    [
        ("--seeds: got 0", "seeds: got 0"),
        ("-n: got 0; allowed: a whole number from 1", "n: got 0; allowed: a whole number from 1"),
        ("--out: got x; allowed: another, or --overwrite", "out: got x; allowed: another, or overwrite=True"),
        ("--resume: model.k: got 3", "resume: model.k: got 3"),
        ("a rule-n and a-n: got -1", "a rule-n and a-n: got -1"),
        ("model.k: got 0 (--set model.k=0)", "model.k: got 0 (settings model.k=0)"),
    ],
)
def test_options_are_arguments(said: str, reads: str) -> None:
    assert python_words(said) == reads


def test_errors_for_the_command_line_stay_as_they_are() -> None:
    @in_python
    def ask(host: object = None) -> None:
        raise BadInput("--seed", got=-1)

    with pytest.raises(BadInput, match=r"^seed: got -1$"):
        ask()
    with pytest.raises(BadInput, match=r"^--seed: got -1$"):
        ask(host=object())
