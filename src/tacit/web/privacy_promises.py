"""The privacy promises of the page, each with the tests that enforce it.

Templates say `promise("paused")`; `tests/web/test_privacy_promises.py` finds each test.
"""

from __future__ import annotations

from tacit.node.push_sum.sum_rules import CROWD, MEMBERS

_NODE, _RECEIVING = "tests/node/test_runtime.py", "tests/node/test_receive.py"
_CIRCLE = "tests/node/circle"
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
        "Nothing leaves this computer.",
        ("tests/cli/test_node_alone.py::test_alone_there_is_a_page_and_no_network",),
    ),
    "off": (
        "While you are alone the network part of tacit is not even started.",
        ("tests/cli/test_node_alone.py::test_alone_there_is_a_page_and_no_network",),
    ),
    "here": (
        "This page loads nothing from elsewhere.",
        (
            "tests/web/test_privacy_promises.py::test_nothing_on_the_page_points_elsewhere",
            "tests/web/test_browser.py::test_from_the_first_visit_to_what_left",
        ),
    ),
    "open_list": (
        "Stars, dates and what you do not like are not in the list.",
        (
            "tests/web/pages/test_circle.py::test_the_list_that_leaves_has_titles_only",
            f"{_CIRCLE}/test_likes.py::test_what_is_not_liked_or_not_chosen_leaves_no_mark",
        ),
    ),
    "chosen": (
        "You share nothing until you choose what.",
        (
            f"{_CIRCLE}/test_circle.py::test_nothing_is_shared_before_it_is_chosen",
            f"{_CIRCLE}/test_agent.py::test_nothing_leaves_before_something_is_shared",
        ),
    ),
    "circle_paused": (
        "One last, empty list takes the place of yours; then nothing is sent until you go on.",
        (
            "tests/web/pages/test_circle.py::test_pausing_empties_the_list",
            f"{_CIRCLE}/test_agent.py::test_a_node_that_is_paused_sends_one_empty_list_and_then_nothing",
            f"{_CIRCLE}/test_last_words.py::test_pausing_while_the_node_is_off_reaches_the_others_at_the_next_start",
            f"{_CIRCLE}/test_last_words.py::test_pausing_after_many_ratings_takes_everything_back",
            f"{_CIRCLE}/test_last_words.py::test_pausing_reaches_everybody_who_is_there_and_not_only_the_first_four",
            f"{_CIRCLE}/test_last_words.py::test_a_paused_node_with_last_words_says_nothing_else",
            "tests/node/network/test_presence.py::test_pausing_closes_it_after_last_words_and_resuming_opens_it",
        ),
    ),
    "removed": (
        "Members who know of the removal send them nothing more, and lists have a new key. "
        "A member who does not know of it yet still shares with them.",
        (
            f"{_CIRCLE}/test_replica.py::test_after_a_removal_nothing_newer_can_be_read_by_the_removed",
            f"{_CIRCLE}/test_replica.py::test_removing_forgets_the_list_and_blocks",
            f"{_CIRCLE}/test_replica.py::test_a_member_who_does_not_know_of_a_removal_still_shares",
        ),
    ),
    "keep": (
        "Nothing is kept before you say so.",
        ("tests/web/pages/test_data.py::test_a_file_is_shown_before_anything_is_kept",),
    ),
    "first": (
        "Sharing stays paused until you turn it on.",
        ("tests/web/pages/test_welcome.py::test_the_first_run_ends_paused",),
    ),
    "paused": (
        "Nothing about your ratings is sent.",
        (
            f"{_RECEIVING}::test_a_paused_node_listens_and_tells_nothing",
            f"{_SUMS}::test_paused_nothing_leaves_and_the_rest_goes_on",
        ),
    ),
    "hidden": (
        "A rating that the shared model never used leaves no mark in any message.",
        (
            f"{_NODE}::test_ratings_that_take_no_part_leave_no_mark_in_any_byte",
            f"{_NODE}::test_rows_of_ratings_that_take_no_part_are_not_kept_before_others",
            f"{_MASKS}::test_ratings_that_take_no_part_leave_no_mark_in_any_byte",
        ),
    ),
    "masked": (
        "One share of the sums tells its receiver hardly anything about single items, "
        "unless the receiver works with your mask partners.",
        (f"{_MASKS}::test_a_first_share_tells_nothing_about_what_the_sender_has",),
    ),
    "few": (
        f"Until you know {CROWD - 1} others ({MEMBERS - 1} if you forced it), nothing about your ratings is sent.",
        (
            f"{_MASKS}::test_unless_forced_fewer_than_a_hundred_people_put_nothing_in",
            f"{_MASKS}::test_fewer_than_four_people_put_nothing_in",
        ),
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
        "Every message to another node that holds your titles, numbers, name or addresses is written down here first, "
        "or it is not sent.",
        (
            f"{_NODE}::test_the_ledger_tells_every_byte_that_left",
            f"{_CIRCLE}/test_agent.py::test_every_byte_is_in_the_ledger_with_how_many_titles_left",
            f"{_SUMS}::test_the_ledger_tells_every_byte_that_left",
            f"{_RECEIVING}::test_with_a_full_disk_nothing_is_sent_and_later_it_goes_on",
            f"{_RECEIVING}::test_with_a_full_disk_questions_are_refused",
        ),
    ),
}


def promise(name: str) -> str:
    """The words of a promise."""
    return PROMISES[name][0]
