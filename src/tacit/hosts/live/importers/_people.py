"""Whose rows: a person's node takes one person's, a cluster's takes everybody's."""

from __future__ import annotations

from dataclasses import replace

from tacit.core.errors import BadInput
from tacit.hosts.live.importers.base import Options, Row


def chosen(rows: list[Row], options: Options, where: str) -> list[Row]:
    """The rows of the profile that was chosen, of the only one, or of all for a cluster.

    Raises BadInput when there are several and none was chosen.
    """
    if options.cluster and not options.profile:
        return rows
    people = {row.user for row in rows}
    if options.profile:
        rows = [row for row in rows if row.user == options.profile]
        if not rows:
            raise BadInput(f"{where} has no rows of this profile", got=options.profile)
    elif len(people) > 1:
        few = f": {', '.join(sorted(people))}" if len(people) <= 8 else ""
        raise BadInput(
            f"{where} is about {len(people)} people{few}",
            allowed="one, chosen with --map profile=NAME, or all in a node made with --cluster",
        )
    return rows if options.cluster else [replace(row, user="") for row in rows]
