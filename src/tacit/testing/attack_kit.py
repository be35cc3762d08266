"""What is expected of an attack: findings between 0 and 1, the same each time, and a run that is left as it was."""

from __future__ import annotations

from tacit.attacks.base import Attack, Audited, Finding
from tacit.models.base import Model
from tacit.protocols.base import Protocol
from tacit.testing.expect import expect, expect_part, kit
from tacit.testing.protocol_kit import small_scenario


@kit
def check_attack(attack: Attack, protocol: Protocol, model: Model | None = None) -> None:
    """Check an attack on a small run of a protocol that it is against; `model`: one the protocol can learn with."""
    expect_part("attack", attack)
    expect_part("protocol", protocol)
    name = f"attack {attack.name}"
    expect(
        protocol.name in attack.against,
        f"{name} is not against {protocol.name}; give one of {attack.against}",
    )
    told: list[float] = []
    one, two = _look(attack, protocol, model, told), _look(attack, protocol, model, [])
    expect(len(one) > 0, f"{name} found nothing at all; allowed: at least one finding")
    for finding in one:
        right = isinstance(finding, Finding) and bool(finding.attacker)
        expect(right, f"{name}: a finding without an attacker; allowed: what judge() gives")
        values = (finding.auc, finding.auc_all, finding.precision)
        inside = all(value != value or 0 <= value <= 1 for value in values)
        expect(inside, f"{name}: {finding.attacker} has {values}; allowed: from 0 to 1, or not a number")
    same = [repr(finding) for finding in one] == [repr(finding) for finding in two]
    expect(same, f"{name} finds something else the second time; seed all of its randomness")
    expect(all(0 <= share <= 1 for share in told), f"{name} tells progress outside 0 to 1")


def _look(attack: Attack, protocol: Protocol, model: Model | None, told: list[float]) -> list[Finding]:
    scenario = small_scenario(model)
    before = scenario.train.item.tobytes(), scenario.train.value.tobytes()
    run = Audited(protocol, scenario, lambda period: 25 * period)
    found = attack.look(run, lambda what, share: told.append(share))
    kept = before == (scenario.train.item.tobytes(), scenario.train.value.tobytes())
    expect(kept, f"attack {attack.name} changes the data it is shown")
    return found
