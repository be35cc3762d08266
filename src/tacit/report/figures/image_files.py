"""Image files of figures: SVG that fits into a light or dark page; PNG, PDF and SVG files for papers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from tacit.core.errors import BadInput

INK = "#010203"
"""Stands for the colour of the text around a figure; near enough to black for a picture on white."""

_FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
_ROOT = f"font-family: {_FONTS}; stroke-linejoin: round; stroke-linecap: butt"
# matplotlib's comments and metadata, and its style sheet, which would reach out of the figure into the page
_REMARKS = re.compile(
    r"<metadata>.*?</metadata>\s*|<!--.*?-->\s*|<defs>\s*<style.*?</style>\s*</defs>\s*|^\s+",
    re.DOTALL | re.MULTILINE,
)
_REFERENCE = re.compile(r"""(?:url\(|href=")#([\w.-]+)""")
_TAG = re.compile(r"<[^>]+>")
_SETTINGS: Any = {"svg.hashsalt": "tacit", "svg.fonttype": "none"}
_FOR_PAPERS: Any = {**_SETTINGS, "pdf.fonttype": 42}
"""TrueType fonts in PDF, which publishers ask for, and text that stays text in SVG."""
FORMATS = (".png", ".svg", ".pdf")


def to_svg(figure: Figure, label: str = "") -> str:
    """The figure as an `<svg>` element: the same text for the same figure, its ids unlike those of any other.

    Text, axes and ticks take the colour of the page (`currentColor`). `label` is read out by screen readers.
    """
    buffer = StringIO()
    with rc_context(_SETTINGS):
        FigureCanvasSVG(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]  # without the XML prologue, which has no place inside HTML
    text = _REMARKS.sub("", text)
    prefix = "f" + hashlib.sha256((label + text).encode()).hexdigest()[:10]
    used = set(_REFERENCE.findall(text))
    text = _TAG.sub(lambda tag: _tidy(tag[0], prefix, used), text)
    naming = f' role="img" aria-label="{escape(label)}"' if label else ""
    return text.replace("<svg", f'<svg{naming} style="{_ROOT}"', 1).strip() + "\n"


def to_png(figure: Figure, path: Path | str, dpi: int = 160) -> Path:
    """Write the figure as a PNG file on white."""
    FigureCanvasAgg(figure)
    figure.savefig(path, format="png", dpi=dpi, facecolor="white", metadata={"Software": None})
    return Path(path)


def save(figure: Figure, path: Path | str, dpi: int = 160) -> Path:
    """Write the figure to a file; the name's ending chooses the format."""
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise BadInput("picture", got=path.name, allowed=f"a name that ends in {', '.join(FORMATS)}")
    if kind == ".png":
        return to_png(figure, path, dpi)
    dates: Any = {"Date": None} if kind == ".svg" else {"CreationDate": None}
    with rc_context(_FOR_PAPERS):
        FigureCanvasAgg(figure)
        figure.savefig(path, format=kind[1:], metadata=dates)
    return path


def save_all(figures: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Every figure under its name, in every format."""
    if figures:
        folder.mkdir(parents=True, exist_ok=True)
    return [save(figure, folder / f"{name}{kind}") for name, figure in figures.items() for kind in FORMATS]


def file_name(words: str) -> str:
    """Words as the name of a file.

    >>> file_name("Figure 3: MovieLens-1M, 10 % of rows")
    'figure-3-movielens-1m-10-of-rows'
    """
    return re.sub(r"[^a-z0-9.]+", "-", words.lower()).strip("-.") or "figure"


def _tidy(tag: str, prefix: str, used: set[str]) -> str:
    """One tag without what a page does not need. Only tags are touched: words in a figure stay."""
    tag = tag.replace(INK, "currentColor").replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    tag = tag.replace("xlink:href", "href").replace("\n", " ")
    tag = re.sub(r" font-family: [^;\"]*;?", "", tag)
    tag = re.sub(r" transform=\"rotate\(-0 [^)]*\)\"", "", tag)
    tag = re.sub(r"\d+\.\d{3,}", lambda figures: f"{float(figures[0]):.2f}", tag)
    tag = re.sub(r' id="([^"]+)"', lambda name: f' id="{prefix}-{name[1]}"' if name[1] in used else "", tag)
    return re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}-", tag)
