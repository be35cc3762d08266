"""`tacit node`: people and what leaves: invite, join, peers, sharing, pause, resume, ledger."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.console import Json, emit, printable, say
from tacit.cli.node_options import ALONE, PAUSED, Count, Home, opened, time_of_day

NO_LONGER_ALONE = (
    "This node was alone. From now on it exchanges models with the people you invite or join: "
    "one message shows a friend what you liked. tacit node mode alone ends that."
)


def invite(home: Home = None, as_json: Json = False) -> None:
    """Print an invitation for one other person, who can accept it within a week.

    Whoever accepted it can use it again at any time, even after you removed them.
    """
    with opened(home) as service:
        was = service.mode()
        ticket = service.invite()
        if was == "alone":
            say(NO_LONGER_ALONE)
        if not service.store.setting("addresses"):
            say(
                "hint: this invitation holds addresses of this computer only; start the node first to invite from afar"
            )
    if as_json:
        emit({"ticket": ticket})
        return
    sys.stdout.write(ticket + "\n")
    say("They run: tacit node join TICKET")


def join(
    ticket: Annotated[str, typer.Argument(help="the line that tacit node invite printed")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Accept an invitation. A running node says hello at once, otherwise the next start does."""
    with opened(home) as service:
        was = service.mode()
        peer = service.join(ticket)
        if was == "alone":
            say(NO_LONGER_ALONE)
        running = service.store.is_running()
    if as_json:
        emit({"peer": peer.id})
        return
    say(f"Joined {peer.id[:10]}." + ("" if running else " Next: tacit node start"))


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
        preview, mode = service.preview(), service.mode()
    words = {"rows": preview.rows, "rows_rated": preview.rows_rated, "bytes": preview.bytes}
    if as_json:
        emit({"disclosure": chosen.disclosure, "paused": chosen.paused, "open": chosen.open, "next": words})
        return
    if mode == "alone":
        say(ALONE)
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


def pause(home: Home = None, as_json: Json = False) -> None:
    """Send nothing about your ratings, from now on. A running node still answers greetings."""
    _set_paused(home, True, as_json)


def resume(home: Home = None, as_json: Json = False) -> None:
    """Send again."""
    _set_paused(home, False, as_json)


def _set_paused(home: Path | None, paused: bool, as_json: bool) -> None:
    with opened(home) as service:
        chosen, mode = service.set_sharing(paused=paused), service.mode()
    if as_json:
        emit({"disclosure": chosen.disclosure, "paused": chosen.paused, "open": chosen.open})
        return
    say(ALONE if mode == "alone" else PAUSED if paused else "Sharing while the node runs.")


def peers(home: Home = None, as_json: Json = False) -> None:
    """Whom this node knows."""
    with opened(home) as service:
        found = service.peers()
    if as_json:
        emit({"peers": [{"id": p.id, "last_seen": p.last_seen, "score": p.score} for p in found]})
        return
    for peer in found:
        seen = "not seen yet" if peer.last_seen is None else f"seen {time_of_day(peer.last_seen)}"
        trouble = f"   {printable(peer.problem)}" if peer.problem else ""
        sys.stdout.write(f"{peer.id[:10]}  {printable(peer.name):<20}  {seen}{trouble}\n")


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
        sys.stdout.write(f"{time_of_day(e.time)}  {e.peer[:10]}  {e.bytes:>9,} bytes  {what}\n")
