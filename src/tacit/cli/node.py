"""`tacit node`: the commands of the live node on a person's own computer. Ratings and people have their own files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli import node_circle, node_doctor, node_ratings, node_sharing
from tacit.cli.console import Json, download_bar, emit, printable, say
from tacit.cli.node_options import (
    ALONE,
    BELOW_A_CROWD,
    OFFER,
    SHOWS_MODEL,
    SHOWS_SUMS,
    Home,
    exchanges,
    home_of,
    opened,
)

if TYPE_CHECKING:
    from tacit.node.circle.records import InCircle
    from tacit.node.start.rows_file import Start
    from tacit.node.store.records import Status, Traffic

app = typer.Typer(
    help="Your own node: what you may like, from your own ratings and rows learned from public ones.\n\n"
    "Alone, which it is from the start, it sends nothing. In a circle friends share openly what they like: tacit node "
    "circle --help. For research, --model exchanges models: a friend can tell from one message what you liked. "
    "Members of a small group that adds up sums (--model ials) can work out each other's "
    "lists. docs/explanation/threat-model.md says who can learn what.\n\n"
    "Start with: tacit node init --start movielens-100k; tacit node import export.zip; tacit node recommend",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
Kind = Annotated[
    str,
    typer.Option(
        "--kind",
        help="what its titles are of: film, series, book, artist, album; csv: keep its ids (default: found)",
    ),
]


@app.command()
def init(
    name: Annotated[str, typer.Option("--name", help="what friends see, up to 32 characters")] = "",
    start_from: Annotated[
        str,
        typer.Option(
            "--start",
            metavar="DATASET|FILE",
            help="public ratings to learn from, or a file that tacit rows export wrote",
        ),
    ] = "",
    kind: Kind = "",
    model: Annotated[
        str,
        typer.Option(
            "--model", help="for research: bpr, gmf, ials or mf, exchanged with friends who use the same"
        ),
    ] = "",
    cluster: Annotated[bool, typer.Option("--cluster", help="hold the ratings of many people")] = False,
    force: Annotated[bool, typer.Option("--force", help=BELOW_A_CROWD)] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Make a node: a key pair and an empty store. Without --model it is alone and sends nothing.

    tacit node init --start movielens-100k

    Public ratings that are not here are fetched once. All learning happens on this computer.
    """
    from tacit.core.errors import BadInput
    from tacit.node.first_setup import create
    from tacit.node.store.database import FILE

    folder = home_of(home)
    if (folder / FILE).exists():
        raise BadInput(
            "node",
            got=f"{folder} holds one already",
            allowed="another --home DIR"
            + (f", or for this node: tacit node learn {start_from}" if start_from else ""),
        )
    start = (
        _learned(start_from, kind, as_json) if start_from else None
    )  # before anything is made: it may fail
    made = create(folder, name=name, model=model, cluster=cluster)
    with opened(folder) as service:
        if start is not None:
            service.suggestions.set_start(start)
        if force:
            service.set_sharing(small_sums=True)
    if model:
        _warm(model, as_json)
    if as_json:
        emit({"id": made, "home": str(folder)})
        return
    say(f"Your node {made[:10]} is in {folder}.")
    if model:
        say(SHOWS_SUMS if model == "ials" else SHOWS_MODEL)
    if start is None and not model:
        say(OFFER)
    say("Next: tacit node import FILE (the export of Letterboxd, IMDb, Goodreads, ..., or a csv)")


def _warm(model: str, as_json: bool) -> None:
    from tacit.node.peer_compatibility import rules_of
    from tacit.node.warmup import is_warm, warm_up

    if not is_warm(model):
        if not as_json:
            say("Preparing the model for this computer, once: some seconds.")
        warm_up(rules_of(model, 0, 1.0))


def _learned(source: str, kind: str, as_json: bool) -> Start:
    from tacit.cli.start_source import start_from
    from tacit.node.start.rows_file import is_start_file

    if not as_json and not is_start_file(Path(source)):
        say(f"Learning from {source} on this computer: seconds to some minutes.")
    with download_bar(as_json) as progress:
        start = start_from(source, kind=kind, progress=progress)
    if not as_json:
        say(
            f"{len(start):,} titles of {printable(start.source)}. Terms of the data: {printable(start.licence)}."
        )
    return start


@app.command()
def learn(
    source: Annotated[
        str,
        typer.Argument(metavar="DATASET|FILE", help="public ratings, or a file that tacit rows export wrote"),
    ],
    kind: Kind = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Learn a start from public ratings, or take one that somebody exported, in place of the one there is.

    A node that exchanges a model goes on with that, and suggests from the start. tacit node mode alone ends exchanging.
    """
    with opened(home) as service:
        start = _learned(source, kind, as_json)
        service.suggestions.set_start(start)
    if as_json:
        emit({"source": start.source, "items": len(start), "licence": start.licence})
        return
    say("Next: tacit node recommend")


@app.command()
def mode(
    wanted: Annotated[str, typer.Argument(metavar="[alone]", help="exchange nothing from now on")] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show what this node shares and with whom, or end that. What others have heard cannot be called back."""
    from tacit.core.errors import BadInput

    if wanted not in ("", "alone"):
        raise BadInput("mode", got=wanted, allowed="alone, or nothing to show it")
    with opened(home) as service:
        if wanted:
            service.be_alone()
        now, model = service.mode(), service.store.setting("model")
    if as_json:
        emit({"mode": now})
        return
    if now == "alone":
        say(ALONE)
    elif model:
        say(f"While it runs, this node {exchanges(model)} with the people you invited or joined.")
    else:
        say("Circle: while the node runs, its members see the titles you share.")


@app.command()
def start(
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="UDP port to listen on")
    ] = None,
    every: Annotated[
        float, typer.Option("--every", metavar="SECONDS", min=0.1, max=86_400, help="time between messages")
    ] = 15.0,
    relay: Annotated[
        str | None,
        typer.Option("--relay", metavar="URL", help="a relay of your own from now on; default: iroh's again"),
    ] = None,
    no_relay: Annotated[
        bool,
        typer.Option(
            "--no-relay", help="no relays, no lookup of addresses; the router is still asked for a port"
        ),
    ] = False,
    no_local: Annotated[
        bool, typer.Option("--no-local", help="neither announce nor look for nodes on the local network")
    ] = False,
    paused: Annotated[
        bool,
        typer.Option(
            "--paused", help="send nothing, until: tacit node resume; a circle gets one last, empty list"
        ),
    ] = False,
    plain_page: Annotated[
        bool,
        typer.Option("--plain-page", help="the page at 127.0.0.1, where other programs can get its session"),
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Run the node and its page until Ctrl-C. Alone or paused it sends nothing and opens no connection to anybody.

    A circle that does not know yet that you paused or left is told first.

    A node that exchanges a model shares with the people you invited, unless paused. It sends numbers learned from your
    ratings. They show the people who receive them what you liked. tacit node ledger lists every such message.
    """
    from tacit.cli.node_start import StartOptions, run_node

    options = StartOptions(port, every, relay, no_relay, not no_local, paused, plain_page, as_json)
    run_node(home_of(home), options)


@app.command()
def status(home: Home = None, as_json: Json = False) -> None:
    """Show mode, start, ratings, people, and traffic."""
    from tacit.node.store.database import Damaged

    with opened(home) as service:
        found, circle = service.status(), service.circle.state
        problems = [problem.line for problem in service.problem_log.latest(3)]
        try:
            service.rating_store.verify()
        except Damaged as problem:
            problems.insert(0, str(problem))
    sent, received = _traffic(found.sent), _traffic(found.received)
    if as_json:
        peers = [{"id": p.id, "last_seen": p.last_seen, "score": p.score} for p in found.peers]
        counted = {**received, "refused": found.received.refused}
        facts = {"id": found.id, "ratings": found.ratings, "rows_known": found.rows_known, "peers": peers}
        emit({**facts, "sent": sent, "received": counted, "mode": found.mode, "start": found.start})
        return
    say(f"{found.id[:10]} {'runs' if found.running else 'does not run'}, {_mode_line(found, circle)}")
    start = found.start
    say(
        f"start: {printable(start.source)}, {start.items:,} titles ({printable(start.licence)})"
        if start
        else f"start: none. {OFFER}"
    )
    say(f"{found.ratings:,} ratings, {found.rows_known:,} rows known, people: {len(found.peers)}")
    what = "shares" if found.model == "ials" else "models" if found.model else "lists"
    say(f"sent      {sent['updates']:,} {what}, {sent['rows']:,} rows, {sent['bytes']:,} bytes")
    say(f"received  {received['updates']:,} {what}, {received['rows']:,} rows, {received['bytes']:,} bytes")
    for line in problems:
        say(f"note: {printable(line)}")


def _mode_line(found: Status, circle: InCircle | None) -> str:
    if found.mode == "alone":
        return "alone: nothing is sent"
    about = exchanges(found.model) if found.model else found.mode
    if found.sharing.paused:
        return f"{about}, paused: nothing is sent"
    if circle is not None and circle.waiting:
        return f"{about}: not let in yet, nobody sees your titles"
    if circle is not None and circle.refused:
        return f"{about}: this node is out of it, nothing new is sent"
    return about if found.model else f"{about}: its members see the titles you share"


def _traffic(traffic: Traffic) -> dict[str, int]:
    return {"updates": traffic.updates, "rows": traffic.rows, "bytes": traffic.bytes}


@app.command()
def forget(
    yes: Annotated[bool, typer.Option("--yes", help="really delete everything")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Delete the node's files: ratings, backups, model, ledger, key. What others learned cannot be called back."""
    from tacit.core.errors import BadInput

    if not yes:
        raise BadInput("forget: add --yes to delete everything")
    with opened(home) as service:
        service.forget()
    if as_json:
        emit({"forgotten": True})
        return
    say("Everything is deleted.")


app.add_typer(node_circle.app, name="circle")
app.command("import")(node_ratings.import_)
app.command("not-for-me")(node_ratings.not_for_me)
for command in (
    node_ratings.recommend, node_ratings.rate, node_ratings.seen, node_ratings.want, node_ratings.undo,
    node_ratings.export, node_ratings.restore, node_sharing.invite, node_sharing.join, node_sharing.sharing,
    node_sharing.pause, node_sharing.resume, node_sharing.peers, node_sharing.ledger,
    node_doctor.doctor,
):  # fmt: skip
    app.command()(command)
