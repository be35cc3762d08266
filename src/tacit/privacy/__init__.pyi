"""The names of the package, for type checkers."""

from tacit.privacy.disclosure import Disclosure as Disclosure
from tacit.privacy.known import Known as Known
from tacit.privacy.none import Nothing as Nothing
from tacit.privacy.sparse import Sparse as Sparse
from tacit.privacy.subsample import Subsample as Subsample

__all__: list[str]
