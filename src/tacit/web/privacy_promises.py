"""The privacy promises of the page, each with the tests that enforce it.

Templates say `promise("paused")`; `tests/web/test_privacy_promises.py` finds each test.
"""

from __future__ import annotations

_NODE, _RECEIVING = "tests/node/test_runtime.py", "tests/node/test_receive.py"
_SUMS, _MASKS = "tests/node/push_sum/test_sum_node.py", "tests/node/push_sum/test_sum_masks.py"
PROMISES: dict[str, tuple[str, tuple[str, ...]]] = {
    "local": (
        "Your files and the ratings themselves are not sent.",
        (
            f"{_NODE}::test_neither_ratings_nor_the_person_s_part_nor_titles_ever_leave",
            f"{_SUMS}::test_neither_ratings_nor_vectors_nor_titles_ever_leave",
            "tests/web/test_privacy_promises.py::test_nothing_on_the_page_points_elsewhere",
            "tests/cli/test_node_command.py::test_two_nodes_meet_by_invitation_and_learn_from_each_other",
        ),
    ),
    "alone": (
        "Alone: nothing is sent.",
        ("tests/cli/test_node_alone.py::test_alone_there_is_a_page_and_no_network",),
    ),
    "keep": (
        "Nothing is kept before you say so.",
        ("tests/web/pages/test_data.py::test_a_file_is_shown_before_anything_is_kept",),
    ),
    "first": (
        "These first steps end paused, unless you choose otherwise.",
        ("tests/web/pages/test_welcome.py::test_the_first_run_ends_paused",),
    ),
    "paused": (
        "Paused: nothing about your ratings is sent.",
        (
            f"{_RECEIVING}::test_a_paused_node_listens_and_tells_nothing",
            f"{_SUMS}::test_paused_nothing_leaves_and_the_rest_goes_on",
        ),
    ),
    "hidden": (
        "A rating that has never taken part leaves no mark in any message.",
        (
            f"{_NODE}::test_ratings_that_take_no_part_leave_no_mark_in_any_byte",
            f"{_MASKS}::test_ratings_that_take_no_part_leave_no_mark_in_any_byte",
        ),
    ),
    "masked": (
        "One share of the sums, judged item by item, does not tell its receiver which items you have.",
        (f"{_MASKS}::test_a_first_share_tells_nothing_about_what_the_sender_has",),
    ),
    "few": (
        "Until you know three others, nothing about your ratings is sent.",
        (f"{_MASKS}::test_fewer_than_four_people_put_nothing_in",),
    ),
    "together": (
        "Your numbers go into sums only if three others say that theirs do.",
        (f"{_MASKS}::test_somebody_all_know_but_who_know_nobody_else_puts_nothing_in",),
    ),
    "preview": (
        "This is the message as it would leave now.",
        (
            f"{_NODE}::test_what_is_previewed_is_what_leaves",
            f"{_SUMS}::test_what_is_previewed_is_what_leaves",
        ),
    ),
    "ledger": (
        "Every message with your numbers, items, name or addresses is entered here first, or it is not sent.",
        (
            f"{_NODE}::test_the_ledger_tells_every_byte_that_left",
            f"{_SUMS}::test_the_ledger_tells_every_byte_that_left",
            f"{_RECEIVING}::test_with_a_full_disk_nothing_is_sent_and_later_it_goes_on",
            f"{_RECEIVING}::test_with_a_full_disk_questions_are_refused",
        ),
    ),
}


def promise(name: str) -> str:
    """The words of a promise."""
    return PROMISES[name][0]
