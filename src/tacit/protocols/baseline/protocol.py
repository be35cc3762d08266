"""A baseline: fitted once, in one place, to everybody's data."""

from __future__ import annotations

from tacit.baselines.base import Baseline
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.registry import build_part
from tacit.core.settings import Maybe, OneOf, Parameter, Part, Whole
from tacit.models.base import Model
from tacit.protocols.base import Parameters, Plan, Protocol, notes
from tacit.protocols.baseline.simulation import RecommenderSimulation
from tacit.simulator.simulation import Simulation


def build(plan: Plan) -> Simulation:
    """Ready to be fitted."""
    part: Baseline = build_part("baseline", plan.parameters)
    return RecommenderSimulation(plan.setting(), lambda: part.fit(plan.train, plan.seed, plan.workers))


def check(p: Parameters, model: Model, train: Interactions, avoid: Interactions) -> None:
    """It ranks; it does not predict ratings, and nobody leaves before it is fitted."""
    if model.name != "none":
        raise BadInput("model", got=model.name, allowed="none with protocol baseline")
    if p["evaluate"] == "rating":
        raise BadInput("evaluate", got="rating", allowed="full or sampled with protocol baseline")
    if p["churn"] != "none":
        raise BadInput("churn", got=p["churn"], allowed="none with protocol baseline")
    build_part("baseline", p)


def memory(parameters: Parameters, model: Model, train: Interactions, size: int) -> int:
    """The data once more, seen from the items, and a block of scores."""
    return 16 * len(train) + 64 * 2**20


protocol = Protocol(
    about="another recommender, in one place that knows everything",
    parameters=(
        Parameter("baseline", "popular", "which recommender", Part("a baseline's name")),
        Parameter("epochs", 1, "it is fitted once", Whole(1)),
        Parameter("hours", None, "it is fitted once", Maybe(Whole(1))),
        Parameter("start", "synchronous", "there is nothing to stagger", OneOf(("synchronous",))),
    ),
    build=build,
    memory=memory,
    notes=notes,
    check=check,
)
