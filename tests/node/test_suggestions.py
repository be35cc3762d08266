"""Lists and searches of a node that has a start, and of one that has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node import first_setup
from tacit.node.choose_list import weights
from tacit.node.service import Service
from tacit.node.store.records import Rating, Wish
from tacit.node.suggestions import START_FILE
from tests.node.start.starts import start
from tests.web.invented import invented_start, say_what_ana_likes

START = start()


@pytest.fixture
def service(tmp_path: Path) -> Service:
    first_setup.create(tmp_path / "home")
    return Service(tmp_path / "home")


def test_without_a_start_it_works_and_has_nothing_to_say(service: Service) -> None:
    assert (service.mode(), service.status().start) == ("alone", None)
    service.rate("film:t:night ferry:2010", 4.0)
    assert service.recommend() == []
    assert service.preview().rows == 0


def test_with_a_start_nothing_said_gives_popularity_and_ratings_count(service: Service) -> None:
    service.suggestions.set_start(START)
    status = service.status()
    assert status.start is not None
    assert (status.start.source, status.start.items, status.start.licence, status.rows_known) == (
        "invented", 200, "free", 200,
    )  # fmt: skip
    assert [item.key for item in service.recommend(5)] == START.keys[::-1][:5]
    service.rate(START.keys[0], 5.0, START.titles[0])
    shown = service.recommend(200)
    assert START.keys[0] not in {item.key for item in shown}
    assert START.titles[0] in {title for item in shown for title in item.because}


def test_seen_not_for_me_and_undo(service: Service) -> None:
    service.suggestions.set_start(START)
    first = service.recommend(1)[0]
    number = service.say(first.key, "seen", first.title)
    assert service.recommend(1)[0].key != first.key
    service.say(service.recommend(1)[0].key, "disliked")
    service.undo(number=number)
    assert service.recommend(1)[0].key == first.key
    service.undo()
    assert service.ratings() == []


def test_new_since_last_time(service: Service) -> None:
    service.suggestions.set_start(START)
    assert not any(item.new for item in service.recommend(3, gap=0)), "there was no last time"
    assert [item.new for item in service.recommend(5, gap=0)] == [False] * 3 + [True] * 2
    assert [item.key for item in service.recommend(2, wish=Wish(new=True), gap=0)] == START.keys[::-1][5:7]


def test_titles_of_the_start_are_found_by_words_and_by_key(service: Service) -> None:
    service.suggestions.set_start(START)
    service.rate("film:t:film of mine:1990", 4.0, "Film of Mine (1990)")
    assert service.find("film aax").key == START.keys[0]
    assert service.find(START.keys[7]).title == START.titles[7]
    assert service.find("of mine").title == "Film of Mine (1990)"
    assert len(service.search("film", 9)) == 9
    with pytest.raises(BadInput, match="one of: "):
        service.find("film")


def test_a_whole_title_is_meant_before_titles_that_hold_its_words(service: Service) -> None:
    for key, title in (
        ("film:t:heat:1995", "Heat (1995)"),
        ("film:t:heathers:1989", "Heathers (1989)"),
        ("film:t:bad film:2020", "Bad Film (2020)"),
        ("film:t:bad boys:1995", "Bad Boys (1995)"),
        ("film:t:fog:1980", "Fog (1980)"),
        ("film:t:fog:2005", "Fog (2005)"),
        ("film:t:fog hill:2001", "Fog Hill (2001)"),
    ):
        service.rate(key, 4.0, title)
    assert service.find("heat").title == "Heat (1995)"
    assert service.find("Bad Film").title == "Bad Film (2020)"
    assert service.find("fog (2005)").title == "Fog (2005)"
    with pytest.raises(BadInput, match=r"Fog \(1980\) = film:t:fog:1980; Fog \(2005\) = film:t:fog:2005$"):
        service.find("Fog")


def test_an_import_means_titles_of_the_start(service: Service) -> None:
    service.suggestions.set_start(START)
    assert set(START.keys) <= set(service.known_keys())


def test_a_start_that_was_spoiled_on_disk_is_one_line(service: Service) -> None:
    service.suggestions.set_start(START)
    path = service.store.home / START_FILE
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(bytes(data))
    with pytest.raises(BadInput, match="its checksum does not fit"):
        service.recommend()


def test_another_process_can_change_the_start(service: Service) -> None:
    service.suggestions.set_start(START)
    service.recommend(1)
    other = Service(service.store.home)
    other.suggestions.set_start(start(items=50))
    other.close()
    assert len(service.recommend(60)) == 50


def test_people_of_a_cluster_have_their_own_lists(tmp_path: Path) -> None:
    first_setup.create(tmp_path / "c", cluster=True)
    service = Service(tmp_path / "c")
    service.suggestions.set_start(START)
    service.add(
        [Rating(START.keys[i], START.titles[i], value=5.0, person="ana") for i in range(5)]
        + [Rating(START.keys[i], START.titles[i], value=5.0, person="bo") for i in range(100, 105)]
    )
    ana, bo = ([item.key for item in service.recommend(20, person)] for person in ("ana", "bo"))
    assert ana != bo
    assert START.keys[0] not in ana
    service.close()


def test_inviting_ends_being_alone_and_it_can_be_alone_again(service: Service) -> None:
    service.suggestions.set_start(START)
    service.invite()
    assert (service.mode(), service.status().model) == ("circle", "bpr")
    assert service.recommend(3), "the list still comes from the start"
    with service.store.running(), pytest.raises(BadInput, match="stop it first"):
        service.be_alone()
    service.be_alone()
    assert service.mode() == "alone"


@pytest.fixture
def ana(tmp_path: Path) -> Service:
    first_setup.create(tmp_path / "home")
    made, start = Service(tmp_path / "home"), invented_start()
    made.suggestions.set_start(start)
    say_what_ana_likes(made, start)
    return made


def test_reasons_are_those_of_the_rule(ana: Service) -> None:
    ranking = ana.suggestions.recommender().rank(weights(ana.ratings()))
    for item in ana.recommend(20):
        parts = ranking.reasons(item.key)
        assert sum(reason.part for reason in item.reasons) == pytest.approx(parts.score, abs=1e-9)
        assert {r.key: r.part for r in item.reasons if r.of == "own"} == {
            key: part for key, part in parts.own.items() if part
        }
        assert item.because[0] == next(reason.name for reason in item.reasons if reason.of == "own")


def test_a_title_has_the_colour_of_the_start_and_others_have_none(ana: Service) -> None:
    start = ana.suggestions.recommender().start
    assert start is not None
    assert ana.suggestions.hue(start.keys[3]) == int(start.hues[3])
    assert ana.suggestions.hue("film:t:unheard of:2001") is None


def test_well_known_titles_are_known_varied_and_never_the_same_twice(ana: Service) -> None:
    start = ana.suggestions.recommender().start
    assert start is not None
    lists = [[item.key for item in ana.suggestions.well_known(6, skip)] for skip in range(3)]
    assert len({key for keys in lists for key in keys}) == 18
    hues = {int(start.hues[start.keys.index(key)]) // 3 for key in lists[0]}
    assert len(hues) == 6  # six titles, six colours
    best = max(range(len(start)), key=lambda place: int(start.public.counts[place]))
    assert lists[0][0] == start.keys[best]
    assert ana.suggestions.well_known(6, 99) == []


def test_how_many_titles_the_start_has(ana: Service) -> None:
    known, said = ana.in_start()
    assert known == said > 10
    ana.rate("film:t:unheard of:2001", 4.0)
    assert ana.in_start() == (known, said + 1)
    assert ana.kinds() == {"film"}
    assert ana.only_in_circle() == [], "there is no circle"
