"""All checks of a node, in the order in which a person would look."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tacit.core.errors import TacitError
from tacit.node.doctor import local, reach
from tacit.node.doctor.check import Check, problem
from tacit.node.service import Service


def examine(home: Path, *, page_port: int, network: bool = False) -> list[Check]:
    """What works and what does not. `network`: ask relays and the local network even if nothing may leave."""
    outside = [lambda: local.disk(home), lambda: local.page(home, page_port)]
    try:
        service = Service(home)
    except TacitError as fault:
        remedy = "tacit node init makes a node; for a damaged one: tacit node restore"
        return [problem("store", f"The store cannot be opened: {fault}.", remedy), *_all(outside)]
    try:
        asks = network or not service.is_silent()
        return _all(
            [
                *_inside(service),
                *outside,
                lambda: reach.library(service),
                lambda: reach.port(service),
                lambda: reach.addresses(service),
                lambda: reach.local_network(service, asks),
                lambda: reach.relay(service, asks),
                lambda: reach.people(service),
                lambda: reach.circle(service),
            ]
        )
    finally:
        service.close()


def examine_here(service: Service) -> list[Check]:
    """The checks that ask nobody and bind nothing, of a node whose store is open."""
    return _all(
        [
            *_inside(service),
            lambda: local.disk(service.store.home),
            lambda: reach.library(service),
            lambda: reach.people(service),
            lambda: reach.circle(service),
        ]
    )


def _inside(service: Service) -> list[Callable[[], Check]]:
    """The checks of the store and of what is in it."""
    checks = (local.store, local.ratings, local.start, local.backup, local.clock)
    return [partial(check, service) for check in checks]


def _all(checks: list[Callable[[], Check]]) -> list[Check]:
    found = []
    for number, check in enumerate(checks, 1):
        try:
            found.append(check())
        except (TacitError, OSError) as fault:
            found.append(
                problem(f"check {number}", f"{fault}.", "tacit node restore, if the store is damaged")
            )
    return found
