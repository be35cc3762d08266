"""Starting from the data (Dymbe 2021, algorithm 4 and sections 6.1, 6.3), by hand."""

import numpy as np
import pytest

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.experiment.prepare import build_model
from tacit.experiment.run_settings import settle
from tacit.merges.age_average import AgeAverage
from tacit.models.bias import Bias
from tacit.models.mf import MatrixFactorization
from tacit.peer_sampling.graphs import complete
from tacit.protocols.centralized.simulation import CentralSimulation
from tacit.protocols.federated.simulation import FederatedSimulation
from tacit.protocols.gossip.simulation import GossipSimulation
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario

# User 0 rated items 0, 1 with 5, 3 (mean 4); user 1 rated 1, 2 with 2, 3 (mean 2.5); user 2 rated nothing.
TRAIN = Interactions.from_pairs([0, 0, 1, 1], [0, 1, 1, 2], [5, 3, 2, 3], users=3, items=4)


def setting(model, **more):
    return Scenario(model, TRAIN, 7, always(), workers=Workers(1), **more)


@pytest.fixture(params=["mf", "bias"])
def model(request):
    return MatrixFactorization(k=2, init="data") if request.param == "mf" else Bias(init="data")


def test_local(model):
    fleet = GossipSimulation(setting(model, init_data=True), AgeAverage(), complete(3)).fleet
    assert fleet.private[:, -1].tolist() == [4.0, 2.5, 3.0]
    assert fleet.slots.rows[:3, :, -1].tolist() == [[1, -1, 0, 0], [0, -0.5, 0.5, 0], [0, 0, 0, 0]]
    assert fleet.slots.ages[:3].tolist() == [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize("kind", [CentralSimulation, FederatedSimulation])
def test_over_all_raters(model, kind):
    fleet = kind(setting(model, init_data=True)).fleet
    assert fleet.private[:, -1].tolist() == [4.0, 2.5, 3.0]
    # Item 1: the mean of -1 and -0.5. The server of a federation knows the sum only.
    assert fleet.slots.rows[0, :, -1].tolist() == [1, -0.75, 0.5, 0]
    assert fleet.slots.ages[0].tolist() == [1, 2, 1, 0]


def test_factors_are_normal_around_zero():
    wide = Interactions.from_pairs([0, 1], [0, 1], [5, 3], users=2, items=2000)
    model = MatrixFactorization(k=5, init="data")
    sim = GossipSimulation(
        Scenario(model, wide, 7, always(), workers=Workers(1), init_data=True), AgeAverage(), complete(2)
    )
    factors = sim.fleet.slots.rows[:2, :, :5].astype(np.float64)
    assert abs(factors.mean()) < 4 * 0.1 / np.sqrt(factors.size)
    assert factors.std() == pytest.approx(0.1, rel=0.03)


def test_bias_model_starts_at_one_and_sends_one_number_an_item():
    fleet = GossipSimulation(setting(Bias()), AgeAverage(), complete(3)).fleet
    assert fleet.slots.rows.shape[2] == 1
    assert np.all(fleet.slots.rows[:3] == 1)
    assert np.all(fleet.private == 1)


def test_it_is_a_parameter_of_the_run():
    model = build_model(settle({}, {"init": "data", "model.k": 3}), (1.0, 5.0))
    assert model.init == "data"
    with pytest.raises(BadInput, match="random, data"):
        settle({}, {"init": "zero"})
