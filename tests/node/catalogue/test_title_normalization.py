# ruff: noqa: RUF001 - characters that look alike are what is tested
from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit.node.catalogue.title_normalization import MAX_BYTES, is_unsafe, normalize, repair, strip_unsafe

GOLDEN = [
    ("The Matrix", "matrix"),
    ("Matrix, The", "matrix"),
    ("MATRIX,  the", "matrix"),
    ("Lord of the Rings: The Two Towers, The", "lord of the rings the two towers"),
    ("Haine, La", "la haine"),
    ("La Haine", "la haine"),
    ("Die Hard", "die hard"),
    ("Am&eacute;lie", "amelie"),
    ("AmÃ©lie", "amelie"),
    ("Am√©lie", "amelie"),
    ("Amélie", "amelie"),
    ("Ame\u0301lie", "amelie"),
    ("Mother&#39;s Day", "mothers day"),
    ("Mother’s Day", "mothers day"),
    ("Ocean´s Eleven", "oceans eleven"),
    ("Romeo + Juliet", "romeo and juliet"),
    ("Romeo & Juliet", "romeo and juliet"),
    ("Straße", "strasse"),
    ("Æon Flux", "aeon flux"),
    ("Søster Łucja Đorđević", "soster lucja dordevic"),
    ("Þór", "thor"),
    ("Kış Uykusu", "kis uykusu"),
    ("İstanbul", "istanbul"),
    ("The Man from U.N.C.L.E.", "man from uncle"),
    ("E.T. the Extra-Terrestrial", "et the extra terrestrial"),
    ("A.I. Artificial Intelligence", "ai artificial intelligence"),
    ("J. Edgar", "j edgar"),
    ("Mr. & Mrs. Smith", "mr and mrs smith"),
    ("WALL·E", "wall e"),
    ("WALL-E", "wall e"),
    ("Rocky II", "rocky 2"),
    ("Star Trek IX", "star trek 9"),
    ("V for Vendetta", "v for vendetta"),
    ("Malcolm X", "malcolm x"),
    ("8½", "8 1 2"),
    ("8 1/2", "8 1 2"),
    ("Alien³", "alien 3"),
    ("Se7en", "se7en"),
    ("A", "a"),
    ("The The", "the"),
    ("The A-Team", "team"),
    ("$", "$"),
    ("...", "..."),
    ("&hellip;", "…"),
    ("¿?", "¿?"),
    ("", ""),
    (" \t ", ""),
    (":", ""),
    ("もののけ姫", "もののけ姫"),
    ("パプリカ", "パプリカ"),
    ("기생충", "기생충"),
    ("Сталкер", "сталкер"),
    ("Йолки", "иолки"),
    ("लगान", "लगान"),
    ("ﬁlm", "film"),
    ("Ｆｕｌｌ　Ｗｉｄｔｈ", "full width"),
    ("Night\u202eFerry\x00", "nightferry"),
]


@pytest.mark.parametrize(("title", "expected"), GOLDEN)
def test_tricky_titles(title: str, expected: str) -> None:
    assert normalize(title) == expected


TITLES = st.text(max_size=60) | st.text(
    alphabet=st.sampled_from("aAiIvVxX tTheE,.'&+:;()-½²éÃ©√‚Äßİſŉ’\u0301\u3099かㅏ가़ड\u202e\u00ad$…0"),
    max_size=40,
)


@given(TITLES)
@example("v" * (MAX_BYTES - 1) + "vi ictor")
@example("the vi a ii")
@example("ŉ ")
def test_normalizing_twice_changes_nothing(title: str) -> None:
    once = normalize(title)
    assert normalize(once) == once


@given(TITLES)
def test_the_form_is_short_plain_and_fits_into_a_key(title: str) -> None:
    form = normalize(title)
    assert len(form.encode()) <= MAX_BYTES
    assert ":" not in form
    assert form == " ".join(form.split())
    assert not any(is_unsafe(c) for c in form)


@given(TITLES)
def test_composed_or_not_upper_or_lower_case_is_one_title(title: str) -> None:
    title = unicodedata.normalize("NFC", title)
    assert normalize(unicodedata.normalize("NFD", title)) == normalize(title)


def test_a_long_title_is_cut_between_characters() -> None:
    form = normalize("姫" * 100)
    assert form == "姫" * (MAX_BYTES // 3)


@pytest.mark.parametrize("text", ["Âge d'or", "Rendez-vous…à Paris", "Ä Ö Ü", "√2", "‚quoted’", "«État»"])
def test_sound_text_is_not_repaired(text: str) -> None:
    assert repair(text) == text


@given(st.text(max_size=40))
def test_stripping_leaves_nothing_unsafe_and_no_safe_character_out(text: str) -> None:
    assert strip_unsafe(text) == "".join(c for c in text if not is_unsafe(c))
    for c in "\x00\n\x7f\u200b\u200e\u202a\u202e\u2066\u2069\ufeff\u2028\u2029\ue000\U000e0001":
        assert is_unsafe(c)
