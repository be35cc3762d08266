"""Create a new node: a key pair, settings and an empty store."""

from __future__ import annotations

import secrets
from pathlib import Path

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import clean_title
from tacit.node.network.invitations import MAX_NAME, Identity
from tacit.node.peer_compatibility import model_of
from tacit.node.store.database import Store


def create(home: Path, *, name: str = "", model: str = "", cluster: bool = False) -> str:
    """Make a node in a folder; its id. Without a model to exchange it is alone: nothing is ever sent."""
    if model:
        model_of(model)
    name = checked_name(name)
    identity = Identity.new()
    store = Store.create(home)
    try:
        store.set(
            id=identity.id,
            secret=identity.secret.hex(),
            # Draws that decide what leaves must be nobody else's to predict.
            seed=secrets.randbits(63),
            name=name,
            model=model,
            cluster=cluster,
            port=20_000 + secrets.randbelow(40_000),
            disclosure=1.0,
            paused=False,
            open=False,
        )
    finally:
        store.close()
    return identity.id


def checked_name(name: str) -> str:
    """The name that others see for this node's person. Raises BadInput."""
    if len(name) > MAX_NAME or clean_title(name) != name.strip():
        raise BadInput("name", got="too long or unprintable", allowed=f"up to {MAX_NAME} plain characters")
    return name.strip()
