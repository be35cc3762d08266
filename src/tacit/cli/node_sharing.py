"""`tacit node`: people and what leaves: invite, join, peers, sharing, pause, resume, ledger."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.console import Json, emit, printable, say
from tacit.cli.node_options import ALONE, BELOW_A_CROWD, PAUSED, Count, Home, opened, time_of_day

if TYPE_CHECKING:
    from tacit.node.service import Service

NO_LONGER_ALONE = (
    "This node was alone and sent nothing. From now on, while it runs, it exchanges models (bpr) with the people you "
    "invite or join: one message shows a friend what you liked. To go back, stop it, then: tacit node mode alone"
)


def invite(home: Home = None, as_json: Json = False) -> None:
    """Print an invitation for one other person, who can accept it within a week. In a circle it is the circle's link.

    It holds the addresses of this computer, whether the node runs or not, and your relay's.
    """
    with opened(home) as service:
        was = service.mode()
        ticket = service.invite()
        if was == "alone":
            say(NO_LONGER_ALONE)
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
        if was == "alone" and not service.is_in_circle():
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
    force: Annotated[bool | None, typer.Option("--force/--no-force", help=BELOW_A_CROWD)] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Show or change what leaves, with the next message as it would leave now."""
    from tacit.core.errors import BadInput
    from tacit.web.formatting import many

    if pause and resume:
        raise BadInput("sharing", got="--pause and --resume", allowed="one of them")
    with opened(home) as service:
        chosen = service.set_sharing(
            disclosure=disclosure, paused=pause if pause or resume else None, open=anybody, small_sums=force
        )
        preview, mode, circle = service.preview(), service.mode(), service.is_in_circle()
    words = {"rows": preview.rows, "rows_rated": preview.rows_rated, "bytes": preview.bytes}
    if as_json:
        emit({"disclosure": chosen.disclosure, "paused": chosen.paused, "open": chosen.open, "next": words})
        return
    if mode == "alone":
        say(ALONE)
        return
    if circle:
        shared = many(preview.rows, "title is", "titles are")
        say(f"{shared} shared with your circle. tacit node circle share says which.")
        say(PAUSED if chosen.paused else "Sharing while the node runs.")
        return
    say(
        f"The shared model learns from {100 * chosen.disclosure:.0f} % of your ratings from now on. "
        "What it learned before can still be in what is sent."
    )
    say(PAUSED if chosen.paused else "Sharing while the node runs.")
    say("Sharing with anybody who asks." if chosen.open else "Sharing with invited people only.")
    if chosen.problem:
        say(f"Nothing about your ratings goes into sums: {chosen.problem}.")
    rows = many(preview.rows, "row")
    say(f"Next message: {rows}, {preview.rows_rated:,} about items you rated, {preview.bytes:,} bytes.")


def pause(home: Home = None, as_json: Json = False) -> None:
    """Send nothing from now on. In a circle one empty list goes to the others first; at the next start, if need be."""
    _set_paused(home, True, as_json)


def resume(home: Home = None, as_json: Json = False) -> None:
    """Send again."""
    _set_paused(home, False, as_json)


def _set_paused(home: Path | None, paused: bool, as_json: bool) -> None:
    with opened(home) as service:
        chosen, mode = service.set_sharing(paused=paused), service.mode()
        words = _pausing(service) if paused else "Sharing while the node runs."
    if as_json:
        emit({"disclosure": chosen.disclosure, "paused": chosen.paused, "open": chosen.open})
        return
    say(ALONE if mode == "alone" else words)


def _pausing(service: Service) -> str:
    """What pausing does: a circle is told first."""
    if not service.is_in_circle() or not service.circle.has_last_words():
        return PAUSED
    if service.store.is_running():
        return f"One last, empty list goes to your circle. {PAUSED}"
    return f"{PAUSED} One last, empty list goes to your circle at the next tacit node start."


def peers(
    remove: Annotated[
        str, typer.Option("--remove", metavar="NAME|ID", help="remove somebody, and keep them out")
    ] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Whom this node knows. Somebody who was removed comes back only with an invitation made later."""
    with opened(home) as service:
        if remove:
            gone = service.find_peer(remove)
            service.remove_peer(gone.id)
            say(
                f"Removed {printable(gone.name) or gone.id[:10]}. What they have heard cannot be called back."
            )
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

    Acknowledgements and refusals are not listed. What the network library sends by itself is summed up at the end.
    """
    from tacit.web.formatting import many

    with opened(home) as service:
        entries, network = service.ledger.entries(n), service.ledger.network()
    if as_json:
        keys = ("time", "peer", "rows", "rows_rated", "bytes", "disclosure")
        emit(
            {
                "entries": [{key: getattr(entry, key) for key in keys} for entry in entries],
                "network": asdict(network),
            }
        )
        return
    if not entries:
        say("No message to another node has left.")
    for e in entries:
        about = f"{many(e.rows, 'row')}, {e.rows_rated:,} about items you rated"
        if e.kind == "list":
            about = f"{many(e.rows, 'title')}, {e.rows_rated:,} that you shared"
        what = about if e.kind == "update" else f"{e.kind}: {about}" if e.rows else e.kind
        sys.stdout.write(f"{time_of_day(e.time)}  {e.peer[:10]}  {e.bytes:>9,} bytes  {what}\n")
    if network.sent or network.relays or network.router:
        say(f"network library: {network}")
