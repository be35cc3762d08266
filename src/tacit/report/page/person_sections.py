"""One person's side of a run: what left their device, and what they were recommended for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.report.page.elements import Html, bullets, element, pairs, section


@dataclass(frozen=True, slots=True)
class Recommendations:
    """What one user gets. Each item: `title`, where known `score` and `because` (words or a list)."""

    user: str
    items: Sequence[Mapping[str, Any]]
    liked: Sequence[str] = ()
    recipe: str = ""


def device_section(device: Mapping[str, Any]) -> Html:
    """What left one user's device. Lists `left` and `stayed` stand side by side; the rest are pairs."""
    rest = {key: value for key, value in device.items() if key not in ("left", "stayed")}
    columns = [
        element("div", element("h3", title), bullets(device[key]), class_=f"card {key}")
        for key, title in (("left", "Left the device"), ("stayed", "Never left the device"))
        if device.get(key)
    ]
    shown = {key: f"{value:,}" if type(value) is int else value for key, value in rest.items()}
    return section(
        "device",
        "What left one user's device",
        element("div", *columns, class_="cards") if columns else "",
        pairs(shown) if shown else "",
    )


def recommendations_section(given: Recommendations) -> Html:
    """The list as that user would see it, beside what they liked before."""
    items = []
    for item in given.items:
        parts = [element("span", item.get("title", ""), class_="title")]
        score = item.get("score")
        if isinstance(score, int | float):
            parts.append(element("span", f"{score:.2f}", class_="score"))
        because = item.get("because")
        if because:
            reason = because if isinstance(because, str) else ", ".join(str(part) for part in because)
            parts.append(element("small", f"because of {reason}"))
        items.append(Html("".join(parts)))
    cards = [element("div", element("h3", "Recommended"), bullets(items, ordered=True), class_="card picks")]
    if given.liked:
        cards.append(element("div", element("h3", "Liked before"), bullets(given.liked), class_="card"))
    by = f", by {given.recipe}" if given.recipe else ""
    return section(
        "recommendations",
        "Recommendations for one user",
        element("p", f"User {given.user}{by}.", class_="hint"),
        element("div", *cards, class_="cards"),
    )
