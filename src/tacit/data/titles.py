"""Readable titles for invented items."""

from __future__ import annotations

_ADJECTIVES = """
Amber Blue Broken Distant First Golden Hidden Last Little Long Lost Paper Quiet Red Restless Second Silver
Slow Stolen Sudden Tall Velvet Wild Winter
"""
_NOUNS = """
Bridge Circus Coast Dream Echo Engine Garden Harbour House Island Journey Lantern Letter Market Mirror
Mountain Orchard River Road Season Song Storm
"""


def titles(many: int) -> list[str]:
    """That many different titles.

    >>> titles(2)
    ['Amber Bridge', 'Blue Bridge']
    """
    adjectives, nouns = _ADJECTIVES.split(), _NOUNS.split()
    made = []
    for number in range(many):
        rest, adjective = divmod(number, len(adjectives))
        again, noun = divmod(rest, len(nouns))
        made.append(f"{adjectives[adjective]} {nouns[noun]}" + (f" {again + 1}" if again else ""))
    return made
