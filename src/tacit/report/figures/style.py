"""The style of every figure: fonts, colours, line styles, an empty canvas."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tacit.report.figures.image_files import INK

# Okabe and Ito's palette, which people with colour blindness can tell apart, without its black and yellow:
# these would vanish on a dark and on a light page.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7")
_DASHES = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
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
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "grid.color"), INK
    ),
}


def line_style(place: int) -> dict[str, Any]:
    """Colour and dashes of the run in this place: colours first, then the same colours dashed."""
    return {
        "color": _COLOURS[place % len(_COLOURS)],
        "linestyle": _DASHES[place // len(_COLOURS) % len(_DASHES)],
    }


def canvas(height: float = 3.4) -> tuple[Figure, Axes]:
    """Empty axes of the size all figures have; draw inside `rc_context(STYLE)`."""
    figure = Figure(figsize=(5.0, height), layout="constrained")
    return figure, figure.add_subplot()
