"""The names of the package, for type checkers."""

from tacit.api import audit as audit
from tacit.api import compare as compare
from tacit.api import open as open  # noqa: A004
from tacit.api import recommend as recommend
from tacit.api import reproduce as reproduce
from tacit.api import run as run
from tacit.api import sweep as sweep
from tacit.api import table as table
from tacit.core.errors import BadInput as BadInput
from tacit.core.errors import TacitError as TacitError
from tacit.data.dataset import Dataset as Dataset
from tacit.data.dataset import load as load
from tacit.experiment.callbacks import CsvLogger as CsvLogger
from tacit.experiment.callbacks import Measured as Measured
from tacit.experiment.recipes import recipes as recipes
from tacit.report.notebook import Comparison as Comparison
from tacit.report.notebook import Result as Result
from tacit.report.notebook import Sweep as Sweep
from tacit.report.notebook import plot as plot

__version__: str
__all__: list[str]
