from tacit.core.registry import build_part
from tacit.merges.base import CLOCK


def test_it_is_found_by_name_and_weighs_by_the_models_clock() -> None:
    assert build_part("merge", {"merge": "model-age"}).basis == CLOCK
