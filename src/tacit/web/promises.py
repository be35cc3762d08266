"""Every promise the page makes, with the test that enforces it. A promise without one does not get in here.

Templates say `promise("paused")`; `tests/web/test_promises.py` finds each test.
"""

from __future__ import annotations

PROMISES = {
    "local": (
        "Your ratings and files stay on this computer.",
        "tests/web/test_promises.py::test_nothing_on_the_page_points_elsewhere",
    ),
    "preview": (
        "Nothing is kept before you say so.",
        "tests/web/test_data.py::test_a_file_is_shown_before_anything_is_kept",
    ),
    "first": (
        "The first steps end paused.",
        "tests/web/test_welcome.py::test_the_first_run_ends_paused",
    ),
}


def promise(name: str) -> str:
    """The words of a promise."""
    return PROMISES[name][0]
