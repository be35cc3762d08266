"""`tacit node circle`: friends who share openly what they like."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.console import Json, emit, printable, say
from tacit.cli.node_options import Home, opened, time_of_day

if TYPE_CHECKING:
    from tacit.node.service import Service

app = typer.Typer(
    help="A circle: people who know each other share openly what they like.\n\n"
    "Everybody in a circle sees the titles that its members share. A person chooses what to share, and shares "
    "nothing until then. Lists are signed and encrypted, and every member carries every list, so people need not be "
    "there at the same time. The person who made the circle lets people in and removes them.\n\n"
    "Start with: tacit node circle create NAME; tacit node circle link; tacit node circle share --all; tacit node "
    "start\n\nThe others: tacit node circle join LINK; tacit node circle share --all; tacit node start",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


_AGAIN = "Again, to leave without telling them."


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="what the others see, up to 32 characters")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Make a circle. You let people in and remove them. Nothing is shared until: tacit node circle share."""
    from tacit.node.circle.circle import TOLD

    with opened(home) as service:
        made = service.circle.create(name)
    if as_json:
        emit({"circle": made.name, "id": made.me})
        return
    say(f"You are in the circle {printable(made.name)}. {TOLD}")
    say("Nothing is shared yet. Next: tacit node circle share --all, and tacit node circle link")


@app.command()
def link(
    revoke: Annotated[
        bool, typer.Option("--revoke", help="end the link: nobody gets in by it any more")
    ] = False,
    uses: Annotated[
        int | None, typer.Option("--uses", help="how many people a new link lets in, up to 49; without it 20")
    ] = None,
    days: Annotated[
        float | None, typer.Option("--days", help="for how long a new link works, up to 90; without it 7")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Print the circle's link for everybody you want to let in; made anew where none works.

    Anybody who has the link can join. Your node must run when they join.
    """
    from tacit.core.errors import BadInput
    from tacit.node.circle.circle import DAYS, USES
    from tacit.web.formatting import many

    with opened(home) as service:
        if revoke:
            done = service.circle.revoke()
            if as_json:
                emit({"revoked": done})
            else:
                say("The link does not work any more." if done else "There was no link.")
            return
        if (uses, days) != (None, None) and service.circle.links():
            raise BadInput(
                "link",
                got="--uses or --days, and a link that works",
                allowed="tacit node circle link --revoke first",
            )
        made = service.circle.link(USES if uses is None else uses, DAYS if days is None else days)
        running = service.store.is_running()
    if as_json:
        emit({"link": made.text, "expires": made.expires, "uses": made.uses, "used": made.used})
        return
    sys.stdout.write(made.text + "\n")
    people = many(made.uses - made.used, "more person", "more people")
    say(f"It works until {time_of_day(made.expires)} for {people}.")
    say("They run: tacit node circle join LINK" + ("" if running else ". You run: tacit node start"))


@app.command()
def join(
    link: Annotated[str, typer.Argument(help="the line that tacit node circle link printed")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Join a circle by its link. Nothing is shared until: tacit node circle share."""
    from tacit.node.circle.circle import TOLD

    with opened(home) as service:
        host = service.circle.join(link)
        name, running = service.circle.replica.here().name, service.store.is_running()
    if as_json:
        emit({"circle": name, "host": host.id})
        return
    say(f"You join the circle {printable(name)}. {TOLD}")
    say("You are let in when your node and the host's run at the same time.")
    say(
        "Nothing is shared yet. Next: tacit node circle share --all"
        + ("" if running else ", tacit node start")
    )


@app.command()
def members(home: Home = None, as_json: Json = False) -> None:
    """The members of the circle, how many titles they share, and who left or was removed."""
    from tacit.node.circle.circle import REFUSED
    from tacit.web.formatting import many

    with opened(home) as service:
        found, state = service.circle.members(), service.circle.state
    assert state is not None
    if as_json:
        keys = ("id", "name", "is_me", "is_host", "titles", "last_heard", "removed_by", "left", "problem")
        emit(
            {
                "circle": state.name,
                "waiting": state.waiting,
                "members": [{key: getattr(one, key) for key in keys} for one in found],
            }
        )
        return
    say(f"Circle {printable(state.name)}" + (": the host has not let you in yet" if state.waiting else ""))
    if state.refused:
        say(REFUSED)
    for one in found:
        marks = [word for word, on in (("you", one.is_me), ("host", one.is_host)) if on]
        if one.removed_by or one.left:
            what = "left" if one.left else "removed"
        else:
            what = "list not here yet" if one.titles is None else many(one.titles, "title")
        heard = "" if one.last_heard is None else f"   heard {time_of_day(one.last_heard)}"
        note = f" ({', '.join(marks)})" if marks else ""
        trouble = f"   {printable(one.problem)}" if one.problem else ""
        sys.stdout.write(f"{one.id[:10]}  {printable(one.name) or '?'}{note}   {what}{heard}{trouble}\n")


@app.command()
def share(
    everything: Annotated[bool, typer.Option("--all", help="all you like, now and later")] = False,
    kind: Annotated[
        list[str], typer.Option("--kind", help="film, series, book, artist, album or csv; may be repeated")
    ] = [],  # noqa: B006 - typer copies it
    item: Annotated[
        list[str], typer.Option("--item", help="one more title that you like; may be repeated")
    ] = [],  # noqa: B006
    hide: Annotated[
        list[str], typer.Option("--hide", help="a title that is never shared; may be repeated")
    ] = [],  # noqa: B006
    nothing: Annotated[bool, typer.Option("--none", help="nothing from now on")] = False,
    named: Annotated[
        bool | None, typer.Option("--named/--unnamed", help="whether suggestions may say that you liked it")
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Choose what everybody in the circle sees; without an option, show it.

    --all, --kind and --none replace what was chosen. --item and --hide add to single titles. What you hide stays hidden
    until --item names it.
    """
    from tacit.core.errors import BadInput
    from tacit.node.circle.circle import TOLD
    from tacit.node.circle.likes import Choice

    if everything + nothing + bool(kind) > 1:
        raise BadInput("share", got="several of --all, --kind, --none", allowed="one of them")
    if everything and item:
        raise BadInput("share", got="--all and --item", allowed="one of them: --all has every title you like")
    with opened(home) as service:
        now = service.circle.shared()
        chosen = now.choice
        if everything or kind or nothing or (item and chosen.all):
            chosen = Choice(everything, frozenset(kind), hidden=chosen.hidden)
        chosen = chosen.with_titles(frozenset(_like(service, text) for text in item))
        chosen = chosen.without_titles(frozenset(service.find(text).key for text in hide))
        if chosen != now.choice or named is not None:
            if not as_json:
                say(TOLD)
            now = service.circle.share(chosen, named)
        preview = service.circle.preview()
    if as_json:
        emit(
            {
                "rule": now.rule,
                "kinds": sorted(now.choice.kinds),
                "items": [{"key": one.key, "title": one.title} for one in now.items],
                "likes": now.likes,
                "named": now.named,
                "bytes": preview.bytes,
            }
        )
        return
    who = ", ".join(printable(name) for name in preview.receivers) or "nobody else is in the circle yet"
    say(f"Shared: {now.rule}. {len(now.items):,} of your {now.likes:,} likes, {preview.bytes:,} bytes.")
    say(f"Seen by: {who}. Suggestions {'say' if now.named else 'do not say'} your name.")
    for one in now.items:
        sys.stdout.write(f"{printable(one.title)}\n")


def _like(service: Service, text: str) -> str:
    """The key of a title that the person likes; BadInput for another."""
    from tacit.core.errors import BadInput
    from tacit.node.circle.likes import liked

    found = service.find(text)
    if found.key not in {rating.key for rating in liked(service.ratings(""))}:
        raise BadInput(
            f"--item: {printable(found.title)} is not among your likes, and only likes are shared",
            allowed="a title with 4 stars or more; tacit node rate ITEM 5 makes it one",
        )
    return found.key


@app.command()
def remove(
    member: Annotated[str, typer.Argument(help="a name, or the beginning of an id")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Remove somebody. Their list is forgotten, the link ends, and the others get a new key.

    Only the person who made the circle can do that. What somebody has seen cannot be called back.
    """
    with opened(home) as service:
        gone = service.circle.remove(member)
    if as_json:
        emit({"removed": gone.id})
        return
    say(f"Removed {printable(gone.name) or gone.id[:10]}. What they have seen cannot be called back.")
    say("Members who know of the removal send them nothing more, and lists have a new key.")
    say("A member who does not know of it yet still shares with them.")
    say("The link ended, too. tacit node circle link makes a new one.")


@app.command()
def leave(home: Home = None, as_json: Json = False) -> None:
    """Leave the circle. One last, empty list tells the others. What they have seen cannot be called back."""
    with opened(home) as service:
        done, running = service.circle.leave(), service.store.is_running()
    if as_json:
        emit({"left": done})
        return
    if done:
        say("You are in no circle now. Nothing is sent.")
    elif running:
        say(f"Your node tells the others that you left, and is alone then. {_AGAIN}")
    else:
        say(f"The others are told when your node runs next (tacit node start). {_AGAIN}")
