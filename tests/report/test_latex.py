from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tacit.report.formatting import MISSING
from tacit.report.latex import Strong, escaped, latex_table


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"])))
def test_no_text_can_command_latex(text: str) -> None:
    """What is left of the special characters once our own commands are taken out."""
    rest = re.sub(r"\\(textbackslash|textasciitilde|textasciicircum|dots)\{\}|\\[&%$#_{}]", "", escaped(text))
    rest = re.sub(r"\$(\\pm|\\downarrow|\\uparrow|\\approx|<|>|\|)\$", "", rest)
    assert not set(rest) & set("\\&%$#_{}^")
    assert rest.count("~") <= text.count("\u00a0")


def test_a_table_has_as_many_columns_in_every_line() -> None:
    text = latex_table(
        ["", "a", "b"], [["x", "1", Strong("2")], ["50 % & more", MISSING, "4"]], "50 %\nof it"
    )
    lines = text.splitlines()
    assert lines[1] == "% 50 % of it"
    assert lines[2] == r"\begin{tabular}{lrr}"
    assert r"50 \% \& more & -- & 4 \\" in lines
    assert r"x & 1 & \textbf{2} \\" in lines
    assert text.endswith("\\end{tabular}\n")
