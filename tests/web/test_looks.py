"""Contrast of every colour of text, in both themes, by the formula of WCAG 2."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tacit

CSS = (Path(tacit.__file__).parent / "web" / "static" / "tacit.css").read_text()


def colours(theme: str) -> dict[str, str]:
    light, dark = re.findall(r":root \{(.*?)\}", CSS, flags=re.DOTALL)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light if theme == "light" else dark))


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_formula_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # a well-known near miss


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(theme: str) -> None:
    named = colours(theme)
    for back in ("back", "card", "soft"):
        for text in ("text", "muted", "link", "ok", "warn", "bad"):
            assert contrast(named[text], named[back]) >= 4.5, (text, back)
    assert contrast(named["on-link"], named["link"]) >= 4.5
    assert contrast(named["text"], named["back"]) >= 14
