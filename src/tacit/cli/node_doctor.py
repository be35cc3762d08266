"""`tacit node doctor`: what works, what does not, and what to do."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from tacit.cli.console import Json, emit, printable
from tacit.cli.node_options import Home, home_of


def doctor(
    network: Annotated[
        bool, typer.Option("--network", help="ask a relay and the local network, even when alone or paused")
    ] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Say in one screen what works, what does not and what to do. Ends with 1 if there is a problem.

    Nothing leaves this computer while the node is alone or paused, unless --network asks for it.
    """
    from tacit.node.doctor.examine import examine
    from tacit.web.server import PORT

    found = examine(home_of(home), page_port=PORT, network=network)
    fine = all(check.state != "problem" for check in found)
    if as_json:
        emit({"checks": [asdict(check) for check in found], "ok": fine})
    else:
        for check in found:
            sys.stdout.write(f"{check.state:<9}  {check.name:<13}  {printable(check.says)}\n")
            if check.do:
                sys.stdout.write(f"{'':<26}{printable(check.do)}\n")
    if not fine:
        raise typer.Exit(1)
