"""The style of every figure: fonts, colours, line styles, an empty canvas."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tacit.report.figures.image_files import INK

# Okabe and Ito's palette, which people with colour blindness can tell apart, without its black and yellow:
# these would vanish on a dark and on a light page.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7")
_DASHES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (9, 3)))
_MARKERS = {
    "o": "M14 1.5a3.5 3.5 0 1 0 .01 0z",
    "s": "M11 2h6v6h-6z",
    "^": "M14 .8l4 7.4h-8z",
    "D": "M14 .5l4.5 4.5-4.5 4.5-4.5-4.5z",
    "v": "M14 9.2l-4-7.4h8z",
    "P": "M12.7 1h2.6v2.7H18v2.6h-2.7V9h-2.6V6.3H10V3.7h2.7z",
    "X": "M11.8 1.2l2.2 2.2 2.2-2.2 1.6 1.6L15.6 5l2.2 2.2-1.6 1.6L14 6.6l-2.2 2.2-1.6-1.6L12.4 5l-2.2-2.2z",
}
"""Matplotlib's markers, and each as a path in the middle of a legend's line on a page (28 x 10)."""
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "text.parse_math": False,  # a $ in a name is a $
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.alpha": 0.15,
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.8,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 10,
    "legend.handlelength": 2.8,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "grid.color"), INK
    ),
}


def line_style(place: int) -> dict[str, Any]:
    """Colour and dashes of the line in this place. Neighbours differ in both: one of them survives grey print."""
    return {"color": _COLOURS[place % len(_COLOURS)], "linestyle": _DASHES[place % len(_DASHES)]}


def marked_style(place: int) -> dict[str, Any]:
    """The same with a marker now and then along the line, for figures in which lines cross."""
    return {
        **line_style(place),
        "marker": list(_MARKERS)[place % len(_MARKERS)],
        "markersize": 5.5,
        "markeredgewidth": 0,
        "markevery": (0.04 + 0.035 * (place % 5), 0.2),
    }


def marker_path(place: int) -> str:
    """The marker of the line in this place, for the legend of a page."""
    return list(_MARKERS.values())[place % len(_MARKERS)]


def canvas(height: float = 3.4) -> tuple[Figure, Axes]:
    """Empty axes of the size all figures have; draw inside `rc_context(STYLE)`."""
    figure = Figure(figsize=(5.0, height), layout="constrained")
    return figure, figure.add_subplot()
