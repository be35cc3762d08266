"""A node that is alone, as a person uses it: three commands to a list, true reasons, filters, undo, and no network."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tacit.cli.main import call
from tacit.node.importers.archive import open_export
from tacit.node.network.invitations import Identity
from tacit.node.store.database import FILE
from tests.cli.test_node_command import Person, Started, sockets, wait_for
from tests.node.importers import test_imdb
from tests.node.importers.exports import zip_bytes
from tests.node.importers.test_letterboxd import ZIP


def write_public(path: Path) -> Path:
    """Ratings of 60 people: half like `Sea` films, half like `Hill` films; all know `Salt Road`."""
    rng = np.random.default_rng(1)
    lines = []
    for person in range(60):
        kind = ("Sea", "Hill")[person % 2]
        for number in sorted(rng.choice(20, 9, replace=False).tolist()):
            lines.append(
                f"p{person},{kind}{number},{kind} of {chr(65 + number)}ria ({1980 + number}),{4 + number % 2}"
            )
        lines.append(f"p{person},road,Salt Road (1998),{3 + person % 3}")
        other = ("Hill", "Sea")[person % 2]
        lines.append(f"p{person},{other}1,{other} of Bria (1981),1")
    path.write_text("user,item,title,rating\n" + "\n".join(lines) + "\n")
    return path


@pytest.fixture
def ana(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Person:
    person = Person(tmp_path / "ana", capsys)
    person.does("init", "--start", str(write_public(tmp_path / "public.csv")))
    return person


def test_status_says_mode_and_start(ana: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = ana.does("status")
    assert status["mode"] == "alone"
    assert status["start"] == {"source": "public", "items": 41, "licence": "not stated"}
    assert "alone: nothing is sent" in ana.says("status")
    bo = Person(tmp_path / "bo", capsys)
    assert "tacit node learn movielens-100k" in bo.says("init")
    assert (bo.does("status")["mode"], bo.does("status")["start"]) == ("alone", None)
    assert "tacit node learn" in bo.says("recommend")
    bo.does("learn", str(tmp_path / "public.csv"))
    assert len(bo.does("recommend")["items"]) == 10


def test_three_commands_to_a_list_with_reasons(ana: Person) -> None:
    for letter in "ABC":
        ana.does("rate", f"sea of {letter.lower()}ria", "5")
    items = ana.does("recommend", "-n", "8")["items"]
    assert set(items[0]) == {"key", "title", "score", "because"}
    assert set(ana.does("recommend")) == {"items"}, "there is no circle"
    assert "in the start" not in ana.says("recommend"), "all of them are"
    assert sum(item["title"].startswith("Sea") for item in items) >= 6
    assert all(item["because"] for item in items if item["title"].startswith("Sea"))
    told = ana.says("recommend", "-n", "3")
    assert "because you liked Sea of" in told


def test_filters_seen_not_for_me_and_undo(ana: Person) -> None:
    years = ana.does("recommend", "--year", "1981-1983", "-n", "20")["items"]
    assert {item["title"][-6:] for item in years} == {"(1981)", "(1982)", "(1983)"}
    assert ana.does("recommend", "--kind", "book")["items"] == []
    assert "Nothing fits these filters: the start has no book." in ana.says("recommend", "--kind", "book")
    first = ana.does("recommend", "-n", "1")["items"][0]
    assert ana.does("seen", first["key"])["signal"] == "seen"
    second = ana.does("recommend", "-n", "1")["items"][0]
    assert second["key"] != first["key"]
    assert ana.does("recommend", "-n", "1", "--seen")["items"][0]["key"] == first["key"]
    assert ana.does("not-for-me", second["key"])["signal"] == "disliked"
    assert ana.does("undo") == {"title": second["title"], "signal": None, "rating": None}
    assert ana.does("want", second["key"])["signal"] == "want"
    assert ana.does("recommend", "-n", "1")["items"][0]["key"] == second["key"]
    assert "not rated, as before" in ana.says("undo")
    ana.does("undo")
    assert ana.tries("undo") == 2
    assert "nothing to undo" in ana.told
    assert ana.does("status")["ratings"] == 0


def test_what_is_new_since_last_time_is_marked(ana: Person) -> None:
    assert "new" not in ana.says("recommend", "-n", "3")
    told = ana.says("recommend", "-n", "5").splitlines()
    assert [line.endswith("   new") for line in told] == [False] * 3 + [True] * 2
    assert len(ana.does("recommend", "--new", "-n", "4")["items"]) == 4


def test_the_format_of_a_file_is_found(ana: Person, tmp_path: Path) -> None:
    (tmp_path / "export.zip").write_bytes(zip_bytes(ZIP))
    assert ana.does("import", str(tmp_path / "export.zip"))["imported"] == 7
    (tmp_path / "ratings.csv").write_text(test_imdb.TODAY)
    told = ana.says("import", str(tmp_path / "ratings.csv"))
    assert "IMDb: " in told
    assert "titles are in the start." in told
    assert "of your" in ana.says("recommend")
    assert "IMDb: " in ana.says("import", "csv", str(tmp_path / "ratings.csv"))
    assert open_export(tmp_path / "ratings.csv").names == ["ratings.csv"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("import", "letterboxd"), "tacit node import letterboxd FILE"),
        (("import", "no-such-file.zip"), "file: no-such-file.zip does not exist"),
        (("import", "nosuch", "x.csv"), "format: got nosuch"),
        (("recommend", "--year", "many"), "--year: got many; allowed: a year or two"),
        (("recommend", "--year", "1999-1990"), "the earlier year first"),
        (("recommend", "--kind", "opera"), "kind: got opera"),
        (("seen", "Unheard Of"), "a key or a title that is known"),
        (("learn", "no-such-data"), "data set: got no-such-data"),
        (("learn", "no.rows"), "start file: no.rows does not exist"),
        (("peers", "--remove", "Bob"), "person: got Bob; this node knows nobody yet"),
        (("forget",), "forget: add --yes to delete everything"),
        (("mode", "crowd"), "mode: got crowd; allowed: alone"),
        (("restore", "--day", "2020-01-01"), "backup: got none of 2020-01-01"),
        (("init", "--start", "movielens-100k"), "tacit node learn movielens-100k"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_code_2(ana: Person, words: tuple[str, ...], told: str) -> None:
    assert ana.tries(*words, "--json") == 2
    assert told in ana.told
    assert ana.told.count("\n") == 1


def test_a_start_that_cannot_be_had_makes_no_node(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    person = Person(tmp_path / "n", capsys)
    (tmp_path / "bad.rows").write_bytes(b"tacit-rows 1\nrubbish")
    assert person.tries("init", "--start", str(tmp_path / "bad.rows"), "--json") == 2
    assert "its checksum does not fit" in person.told
    assert not person.home.exists()


def test_a_flipped_rating_is_told_and_put_back(ana: Person) -> None:
    ana.does("rate", "salt road", "5")
    with sqlite3.connect(ana.home / FILE) as db:
        db.execute("UPDATE ratings SET value = 1.0")
    db.close()
    for words in (("recommend",), ("start",), ("export", str(ana.home / "out.csv"))):
        assert ana.tries(*words, "--json") == 2
        assert "ratings: got something else than was written" in ana.told
        assert "tacit node restore" in ana.told
    assert "tacit node restore" in ana.says("status")
    assert ana.does("restore")["ratings"] == 1
    assert ana.does("recommend")["items"]


def test_making_a_node_loads_no_network_library(tmp_path: Path) -> None:
    code = (
        "import sys; from tacit.cli.main import call; assert call(['node', 'init', '--home', sys.argv[1]]) == 0; "
        "sys.exit('iroh' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "n")], check=True, capture_output=True)


def test_a_key_is_the_one_that_the_network_library_would_make() -> None:
    iroh = pytest.importorskip("iroh")
    made = Identity.new()
    assert str(iroh.SecretKey.from_bytes(made.secret).public()) == made.id


def test_alone_there_is_a_page_and_no_network(ana: Person) -> None:
    """Not even the network library is loaded."""
    node = Started(ana)
    try:
        assert set(node.facts) == {"id", "page", "addresses"}
        assert node.facts["addresses"] == []
        if sys.platform == "linux":
            page = int(node.facts["page"].split(":")[2].split("/")[0])
            assert sockets(node.process.pid) == {("tcp", page)}
            assert "iroh" not in Path(f"/proc/{node.process.pid}/maps").read_text()
        ana.does("rate", "salt road", "4")
        assert ana.does("ledger")["entries"] == []
        assert ana.tries("start") == 2
        assert "running already" in ana.told
        assert node.stop(signal.SIGTERM) == (0, "", "")
    finally:
        node.process.kill()
        node.process.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_paused_there_is_a_page_and_no_network_until_it_is_resumed(ana: Person) -> None:
    """F8: paused, the network library is not started; pausing a running node closes it."""
    pytest.importorskip("iroh")
    ana.does("invite")
    ana.does("status")
    node = Started(ana, "--paused")
    try:
        page = ("tcp", int(node.facts["page"].split(":")[2].split("/")[0]))
        assert node.facts["addresses"] == []
        assert sockets(node.process.pid) == {page}
        assert not any("iroh" in line for line in Path(f"/proc/{node.process.pid}/maps").read_text().split())
        ana.does("resume")
        wait_for(lambda: len(sockets(node.process.pid)) == 3)
        assert {protocol for protocol, _ in sockets(node.process.pid)} == {"tcp", "udp", "udp6"}
        ana.does("pause")
        wait_for(lambda: sockets(node.process.pid) == {page})
        assert node.stop(signal.SIGTERM) == (0, "", "")
        assert ana.does("ledger")["network"]["lookups"] == 0
    finally:
        node.process.kill()
        node.process.communicate()


def test_the_doctor_says_what_to_do_and_ends_with_1_where_something_is_broken(ana: Person) -> None:
    found = ana.does("doctor")
    assert found["ok"] is True
    assert {check["state"] for check in found["checks"]} <= {"ok", "attention"}
    assert set(found["checks"][0]) == {"name", "state", "says", "do"}
    assert "41 titles of public" in ana.says("doctor")
    ana.does("rate", "sea of aria", "5")
    with sqlite3.connect(ana.home / FILE) as store:
        store.execute("UPDATE ratings SET value = 1")
    assert ana.tries("doctor") == 1
    assert "tacit node restore" in ana.printed


def test_somebody_is_removed_by_name_or_id(ana: Person) -> None:
    from tacit.node.service import Service
    from tacit.node.store.records import Peer

    service = Service(ana.home)
    for number, name in enumerate(("Bo", "Cem", "Cem")):
        service.contacts.save(Peer(f"{number}" * 64, name, allowed=True))
    service.close()
    assert len(ana.does("peers", "--remove", "Bo")["peers"]) == 2
    assert ana.tries("peers", "--remove", "Cem") == 2
    assert "which 2 have" in ana.told
    assert len(ana.does("peers", "--remove", "111111")["peers"]) == 1
    assert ana.tries("peers", "--remove", "Dina") == 2


def test_a_node_that_invites_while_it_runs_begins_to_listen(ana: Person) -> None:
    pytest.importorskip("iroh")
    node = Started(ana)
    try:
        assert ana.does("invite")["ticket"].startswith("tacit1:")
        assert "one message shows a friend what you liked" in ana.told
        assert ana.does("status")["mode"] == "circle"
        assert "runs, exchanges models (bpr)" in ana.says("status")
        assert "exchanges models (bpr)" in ana.says("mode")
        from tacit.node.store.database import Store

        def addresses() -> list[str]:
            store = Store(ana.home)
            try:
                return list(store.setting("addresses") or [])
            finally:
                store.close()

        wait_for(addresses)
        assert ana.tries("mode", "alone") == 2
        node.stop(signal.SIGTERM)
        assert ana.does("mode", "alone") == {"mode": "alone"}
        assert ana.does("recommend")["items"]
    finally:
        node.process.kill()
        node.process.communicate()


RUNS = [
    ("baseline/ials", ["--set", "baseline.k=8"]),
    ("tacit/federated", ["--set", "model.k=8", "--set", "rounds=6"]),
    ("tacit/best", ["--set", "model.k=4", "--set", "rounds=60", "--set", "masks=0"]),
]


@pytest.mark.parametrize(("recipe", "settings"), RUNS)
def test_rows_of_a_run_are_a_start(
    recipe: str, settings: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    public, run, rows = write_public(tmp_path / "public.csv"), tmp_path / "run", tmp_path / "public.rows"
    assert call(["run", recipe, "--data", str(public), "--out", str(run), "--json", *settings]) == 0
    capsys.readouterr()
    assert call(["rows", "export", str(run), "--out", str(rows), "--json"]) == 0
    person = Person(tmp_path / "n", capsys)
    person.does("init", "--start", str(rows))
    start = person.does("status")["start"]
    assert start == {"source": "public", "items": 41, "licence": "not stated"}
    for letter in "abc":
        person.does("rate", f"sea of {letter}ria", "5")
    titles = [item["title"] for item in person.does("recommend", "-n", "6")["items"]]
    assert sum(title.startswith("Sea") for title in titles) >= 4, titles


def test_rows_of_other_runs_and_other_files_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    public, run, out = write_public(tmp_path / "public.csv"), tmp_path / "run", str(tmp_path / "x.rows")
    assert (
        call(
            [
                "run",
                "baseline/popular",
                "--data",
                str(public),
                "--set",
                "data.min_user=0",
                "--out",
                str(run),
                "--json",
            ]
        )
        == 0
    )
    for words, told in (
        ([str(run), "--out", out], "run: got baseline/popular; allowed: a run of baseline/ials"),
        (
            [str(tmp_path / "nothing"), "--out", out],
            "nothing, which does not exist; allowed: the --out of tacit run",
        ),
        ([str(run), "--out", str(public)], "another kind of file"),
    ):
        capsys.readouterr()
        assert call(["rows", "export", *words]) == 2
        said = capsys.readouterr().err
        assert told in said
        assert said.count("\n") == 1
