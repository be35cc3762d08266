"""What somebody could learn about a person from what that person sent: one attacker per file, named by who it is.

`base` says what an attack is and how it is judged. Each attack says which protocols it is against; `tacit audit` plays
all that are against a recipe's protocol.

    from tacit.attacks import CuriousReceiver
"""

from __future__ import annotations

from tacit.core.lazy import lazy_names

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "tacit.attacks.base": "Attack Audited Finding",
        "tacit.attacks.curious_averaging_server": "CuriousAveragingServer",
        "tacit.attacks.curious_pairs_server": "CuriousPairsServer",
        "tacit.attacks.curious_partner": "CuriousPartner",
        "tacit.attacks.curious_receiver": "CuriousReceiver",
        "tacit.attacks.curious_sums_server": "CuriousSumsServer",
    },
)


def __dir__() -> list[str]:
    return __all__
