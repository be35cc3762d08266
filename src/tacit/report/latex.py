"""Tables in LaTeX, for papers: plain `tabular` with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Sequence

from tacit.report.formatting import MISSING

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$", "↓": r"$\downarrow$", "↑": r"$\uparrow$",
    "≈": r"$\approx$", "<": r"$<$", ">": r"$>$", "|": r"$|$", "\u00a0": "~", MISSING: "--", "…": r"\dots{}",
}  # fmt: skip


class Strong(str):
    """A cell that stands out: the best of its column."""

    __slots__ = ()


def latex_table(headers: Sequence[str], rows: Sequence[Sequence[str]], remark: str = "") -> str:
    """A table whose first column names the rows; all others are numbers, set to the right.

    >>> print(latex_table(["Recipe", "RMSE ↓"], [["a_b", Strong("0.91 ± 0.02")]]), end="")
    % needs the package booktabs
    \\begin{tabular}{lr}
    \\toprule
    Recipe & RMSE $\\downarrow$ \\\\
    \\midrule
    a\\_b & \\textbf{0.91 $\\pm$ 0.02} \\\\
    \\bottomrule
    \\end{tabular}
    """
    lines = ["% needs the package booktabs", *(["% " + " ".join(remark.split())] if remark else [])]
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(headers) - 1)}}}", r"\toprule", _line(headers), r"\midrule"]
    lines += [*map(_line, rows), r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """A text as LaTeX prints it, whatever it holds."""
    return "".join(_SPECIAL.get(letter, letter) for letter in " ".join(text.split(" ")))


def _line(cells: Sequence[str]) -> str:
    written = [
        rf"\textbf{{{escaped(cell)}}}" if isinstance(cell, Strong) else escaped(cell) for cell in cells
    ]
    return " & ".join(written) + r" \\"
