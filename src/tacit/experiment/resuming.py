"""Whether the run saved in a folder is the one that is to go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.core.errors import BadInput
from tacit.experiment import folder as files
from tacit.experiment.parameters import came_later


def facts_to_resume(out: Path | None, now: dict[str, Any]) -> dict[str, Any]:
    """What a folder's state says of its run, which must be the same in everything that `now` names."""
    if out is None:
        raise BadInput("--resume", got="no folder", allowed="--out DIR of the run to go on with")
    facts = files.read_facts(out)
    if isinstance(facts.get("parameters"), dict):
        facts["parameters"] = {**came_later(now["parameters"]), **facts["parameters"]}
    for key in now:
        if facts.get(key) != now[key]:
            was, is_now = facts.get(key), now[key]
            if key == "parameters":
                changed = [k for k in is_now if was.get(k) != is_now[k]] if isinstance(was, dict) else []
                key = ", ".join(changed) or key
                was = ", ".join(str(facts["parameters"].get(k)) for k in changed)
                is_now = ", ".join(str(now["parameters"][k]) for k in changed)
            raise BadInput(f"--resume: {key}", got=is_now, allowed=f"{was}, as in the saved run", where=out)
    return facts
