"""The names of the package, for type checkers."""

from tacit.attacks.base import Attack as Attack
from tacit.attacks.base import Audited as Audited
from tacit.attacks.base import Finding as Finding
from tacit.attacks.curious_averaging_server import CuriousAveragingServer as CuriousAveragingServer
from tacit.attacks.curious_pairs_server import CuriousPairsServer as CuriousPairsServer
from tacit.attacks.curious_partner import CuriousPartner as CuriousPartner
from tacit.attacks.curious_receiver import CuriousReceiver as CuriousReceiver
from tacit.attacks.curious_sums_server import CuriousSumsServer as CuriousSumsServer

__all__: list[str]
