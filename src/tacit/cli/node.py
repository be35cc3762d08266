"""`tacit node`: the commands of the live node on a person's own computer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.console import Json, emit, printable, say

if TYPE_CHECKING:
    from tacit.node.service import Service
    from tacit.node.store.records import Traffic

app = typer.Typer(
    help="Your own node: learn with friends what you may like.\n\n"
    "Alone, it sends no message. A friend can tell from one message what you liked. Members of a small group that adds "
    "up sums (--model ials) can work out each other's lists. docs/explanation/threat-model.md says who can learn what.\n\n"
    "Start with: tacit node init; tacit node import letterboxd export.zip; tacit node start",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
Home = Annotated[
    Path | None, typer.Option("--home", metavar="DIR", help="the node's folder (default: your data folder)")
]
Count = Annotated[int, typer.Option("-n", min=1, help="how many")]
PAUSED = (
    "Paused: nothing about your ratings is sent. A running node still looks for its router and for relays."
)


def home_of(home: Path | None) -> Path:
    """The folder that was given, or the usual one."""
    if home is not None:
        return home
    from platformdirs import user_data_path

    return user_data_path("tacit") / "node"


@contextmanager
def opened(home: Path | None) -> Iterator[Service]:
    """The node in a folder."""
    from tacit.node.service import Service

    service = Service(home_of(home))
    try:
        yield service
    finally:
        service.close()


@app.command()
def init(
    name: Annotated[str, typer.Option("--name", help="what friends see, up to 32 characters")] = "",
    model: Annotated[
        str, typer.Option("--model", help="bpr, gmf, ials or mf; friends must use the same")
    ] = "bpr",
    cluster: Annotated[bool, typer.Option("--cluster", help="hold the ratings of many people")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Make a node: a key pair and an empty store. It sends nothing before you start it."""
    from tacit.node.first_setup import create
    from tacit.node.peer_compatibility import rules_of
    from tacit.node.warmup import is_warm, warm_up

    folder = home_of(home)
    made = create(folder, name=name, model=model, cluster=cluster)
    if not is_warm(model):
        if not as_json:
            say("Preparing the model for this computer, once: some seconds.")
        warm_up(rules_of(model, 0, 1.0))
    if as_json:
        emit({"id": made, "home": str(folder)})
        return
    say(f"Your node {made[:10]} is in {folder}.")
    say("Next: tacit node import FORMAT FILE (letterboxd, imdb, goodreads, ..., csv)")


@app.command("import")
def import_(
    format: Annotated[  # noqa: A002 - the word in the contract
        str, typer.Argument(metavar="FORMAT", help="csv, letterboxd, imdb, goodreads, movielens, netflix ...")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="the file or zip that the service gave you")],
    mapping: Annotated[
        list[str], typer.Option("--map", metavar="NAME=COLUMN", help="what this csv calls title, rating ...")
    ] = [],  # noqa: B006 - typer copies it
    dry_run: Annotated[bool, typer.Option("--dry-run", help="tell what would be kept, keep nothing")] = False,
    skipped: Annotated[
        Path | None,
        typer.Option(
            "--skipped", metavar="FILE.csv", help="write the rows that are left out here, with reasons"
        ),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Add what you rated elsewhere. The file is not sent; what is learned from it is, once you share.

    csv: item[,title][,year][,rating][,timestamp]; in a cluster node also user
    """
    from tacit.core.errors import unknown
    from tacit.node.export_ratings import write_skipped
    from tacit.node.import_ratings import NothingUsable, Options, formats, read_file

    if format not in formats():
        raise unknown("format", format, formats())
    with opened(home) as service:
        cluster = bool(service.store.setting("cluster"))
        known = [rating.key for rating in service.ratings()]
        try:
            found = read_file(file, format, Options.parse(mapping, cluster=cluster), known)
        except NothingUsable as error:
            if skipped is not None:
                write_skipped(skipped, error.report.skipped)
            raise
        if skipped is not None:
            write_skipped(skipped, found.report.skipped)
        if not dry_run:
            service.add(found.ratings())
        summary = found.summary()
    if as_json:
        emit(summary)
        return
    kept = "would be kept" if dry_run else "kept"
    say(f"{summary['imported']:,} {kept}, {summary['skipped']:,} left out.")
    for reason, count in summary["reasons"].items():
        say(f"  {count:,} {reason}")
    if skipped is not None:
        say(f"What was left out is in {skipped}.")
    say("Next: tacit node start, or tacit node invite")


@app.command()
def start(
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="UDP port to listen on")
    ] = None,
    every: Annotated[
        float, typer.Option("--every", metavar="SECONDS", min=0.1, max=86_400, help="time between messages")
    ] = 15.0,
    no_relay: Annotated[
        bool,
        typer.Option(
            "--no-relay", help="no relays, no lookup of addresses; the router is still asked for a port"
        ),
    ] = False,
    paused: Annotated[
        bool, typer.Option("--paused", help="send nothing about your ratings, until: tacit node resume")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Run the node until Ctrl-C. It shares with the people you invited, unless paused.

    It sends numbers learned from your ratings. They show the people who receive them what you liked.
    tacit node ledger lists every such message.
    """
    from tacit.cli.node_start import run_node

    run_node(home_of(home), port=port, every=every, relay=not no_relay, paused=paused, as_json=as_json)


@app.command()
def invite(home: Home = None, as_json: Json = False) -> None:
    """Print an invitation for one other person, who can accept it within a week.

    Whoever accepted it can use it again at any time, even after you removed them.
    """
    with opened(home) as service:
        ticket = service.invite()
        if not service.store.setting("addresses"):
            say(
                "hint: this invitation holds addresses of this computer only; start the node first to invite from afar"
            )
    if as_json:
        emit({"ticket": ticket})
        return
    sys.stdout.write(ticket + "\n")
    say("They run: tacit node join TICKET")


@app.command()
def join(
    ticket: Annotated[str, typer.Argument(help="the line that tacit node invite printed")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Accept an invitation. A running node says hello at once, otherwise the next start does."""
    with opened(home) as service:
        peer = service.join(ticket)
        running = service.store.is_running()
    if as_json:
        emit({"peer": peer.id})
        return
    say(f"Joined {peer.id[:10]}." + ("" if running else " Next: tacit node start"))


@app.command()
def recommend(
    n: Count = 10,
    user: Annotated[str, typer.Option("--user", help="whose, in a cluster node")] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """What you may like, with what it is near to. Nothing is looked up anywhere."""
    from tacit.core.errors import unknown

    with opened(home) as service:
        people = service.people()
        if user not in people:
            raise unknown("--user", user or "nobody", people)
        found = service.recommend(n, user)
        peers, problem = len(service.peers()), service.sharing().problem
    if as_json:
        emit({"items": found})
        return
    if not found:
        say(
            "Nothing to go on yet: add ratings (tacit node import), "
            + ("keep it running for a while." if peers else "and somebody to learn with (tacit node invite).")
        )
        if problem:
            say(f"hint: {problem}")
        return
    for place, item in enumerate(found, 1):
        near = f"   near {printable(' and '.join(item.because))}" if item.because else ""
        sys.stdout.write(f"{place:>3}  {printable(item.title)}{near}\n")


@app.command()
def rate(
    item: Annotated[str, typer.Argument(help="a key, an id of yours, or words of a title that is known")],
    rating: Annotated[float, typer.Argument(help="from 1 to 5")],
    user: Annotated[str, typer.Option("--user", help="whose, in a cluster node")] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Rate an item. It is safely stored when this returns."""
    from tacit.core.errors import BadInput

    with opened(home) as service:
        if service.store.setting("cluster") and not user:
            raise BadInput("--user", got="nothing", allowed="whose rating it is, in a cluster node")
        found = service.find(item)
        service.rate(found.key, rating, found.title, user)
    if as_json:
        emit({"key": found.key, "title": found.title, "rating": rating})
        return
    say(f"{printable(found.title)}: {rating:g}")


@app.command()
def sharing(
    disclosure: Annotated[
        float | None,
        typer.Option("--disclosure", metavar="0..1", help="share of your ratings to learn from, from now on"),
    ] = None,
    pause: Annotated[bool, typer.Option("--pause", help="send nothing about your ratings")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="send again")] = False,
    anybody: Annotated[
        bool | None, typer.Option("--open/--invited", help="share with anybody, or with invited people only")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show or change what leaves, with the next message as it would leave now."""
    from tacit.core.errors import BadInput

    if pause and resume:
        raise BadInput("sharing", got="--pause and --resume", allowed="one of them")
    with opened(home) as service:
        chosen = service.set_sharing(
            disclosure=disclosure, paused=pause if pause or resume else None, open=anybody
        )
        preview = service.preview()
    words = {"rows": preview.rows, "rows_rated": preview.rows_rated, "bytes": preview.bytes}
    if as_json:
        emit({"disclosure": chosen.disclosure, "paused": chosen.paused, "open": chosen.open, "next": words})
        return
    say(
        f"{chosen.disclosure:.0%} of your ratings take part from now on. "
        "What took part before can still be in what is sent."
    )
    say(PAUSED if chosen.paused else "Sharing while the node runs.")
    say("Sharing with anybody who asks." if chosen.open else "Sharing with invited people only.")
    if chosen.problem:
        say(f"Nothing about your ratings goes into sums: {chosen.problem}.")
    say(
        f"Next message: {preview.rows:,} rows, {preview.rows_rated:,} about items you rated, {preview.bytes:,} bytes."
    )


@app.command()
def pause(home: Home = None, as_json: Json = False) -> None:
    """Send nothing about your ratings, from now on. A running node still answers greetings."""
    _set_paused(home, True, as_json)


@app.command()
def resume(home: Home = None, as_json: Json = False) -> None:
    """Send again."""
    _set_paused(home, False, as_json)


def _set_paused(home: Path | None, paused: bool, as_json: bool) -> None:
    with opened(home) as service:
        chosen = service.set_sharing(paused=paused)
    if as_json:
        emit({"disclosure": chosen.disclosure, "paused": chosen.paused, "open": chosen.open})
        return
    say(PAUSED if paused else "Sharing while the node runs.")


@app.command()
def status(home: Home = None, as_json: Json = False) -> None:
    """How the node is: ratings, rows known, people, what went out and came in."""
    with opened(home) as service:
        found = service.status()
        problems = service.problem_log.latest(3)
    sent, received = _traffic(found.sent), _traffic(found.received)
    if as_json:
        peers = [{"id": p.id, "last_seen": p.last_seen, "score": p.score} for p in found.peers]
        counted = {**received, "refused": found.received.refused}
        facts = {"id": found.id, "ratings": found.ratings, "rows_known": found.rows_known, "peers": peers}
        emit({**facts, "sent": sent, "received": counted})
        return
    say(f"{found.id[:10]} {'runs' if found.running else 'does not run'}, model {found.model}")
    say(f"{found.ratings:,} ratings, {found.rows_known:,} rows known, {len(found.peers)} people")
    what = "shares" if found.model == "ials" else "models"
    say(f"sent      {sent['updates']:,} {what}, {sent['rows']:,} rows, {sent['bytes']:,} bytes")
    say(f"received  {received['updates']:,} {what}, {received['rows']:,} rows, {received['bytes']:,} bytes")
    for problem in problems:
        say(f"note: {printable(problem.line)}")


def _traffic(traffic: Traffic) -> dict[str, int]:
    return {"updates": traffic.updates, "rows": traffic.rows, "bytes": traffic.bytes}


@app.command()
def peers(home: Home = None, as_json: Json = False) -> None:
    """Whom this node knows."""
    with opened(home) as service:
        found = service.peers()
    if as_json:
        emit({"peers": [{"id": p.id, "last_seen": p.last_seen, "score": p.score} for p in found]})
        return
    for peer in found:
        seen = "not seen yet" if peer.last_seen is None else f"seen {_time(peer.last_seen)}"
        trouble = f"   {printable(peer.problem)}" if peer.problem else ""
        sys.stdout.write(f"{peer.id[:10]}  {printable(peer.name):<20}  {seen}{trouble}\n")


@app.command()
def ledger(n: Count = 100, home: Home = None, as_json: Json = False) -> None:
    """Messages to other nodes, newest first.

    Acknowledgements, refusals and what the network library sends by itself are not listed.
    """
    with opened(home) as service:
        entries = service.ledger.entries(n)
    if as_json:
        keys = ("time", "peer", "rows", "rows_rated", "bytes", "disclosure")
        emit({"entries": [{key: getattr(entry, key) for key in keys} for entry in entries]})
        return
    if not entries:
        say("No message to another node has left.")
    for e in entries:
        about = f"{e.rows:,} rows, {e.rows_rated:,} about items you rated"
        what = about if e.kind == "update" else f"{e.kind}: {about}" if e.rows else e.kind
        sys.stdout.write(f"{_time(e.time)}  {e.peer[:10]}  {e.bytes:>9,} bytes  {what}\n")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a csv to write")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write all your ratings to a csv, which tacit node import csv reads again."""
    with opened(home) as service:
        count = service.export(file)
    if as_json:
        emit({"exported": count, "file": str(file)})
        return
    say(f"{count:,} ratings written to {file}")


@app.command()
def forget(
    yes: Annotated[bool, typer.Option("--yes", help="really delete everything")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Delete the node's files: ratings, model, ledger, key. What others learned cannot be called back."""
    from tacit.core.errors import BadInput

    if not yes:
        raise BadInput("forget", got="no --yes", allowed="tacit node forget --yes, which deletes everything")
    with opened(home) as service:
        service.forget()
    if as_json:
        emit({"forgotten": True})
        return
    say("Everything is deleted.")


def _time(seconds: float) -> str:
    from datetime import datetime

    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M:%S")
