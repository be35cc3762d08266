from tacit.core.registry import build_part
from tacit.merges.base import SAMPLES


def test_it_is_found_by_name_and_weighs_by_data() -> None:
    assert build_part("merge", {"merge": "samples"}).basis == SAMPLES
