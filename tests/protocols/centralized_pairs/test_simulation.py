"""BPR-MF in one place: what people send is their data, once."""

from tacit.models.bpr import PairwiseRanking
from tacit.protocols.centralized_pairs.protocol import CentralizedPairs
from tacit.testing.protocol_kit import small_scenario


def test_traffic_is_everybodys_data_and_nothing_else() -> None:
    scenario = small_scenario(PairwiseRanking(k=2))
    simulation = CentralizedPairs().build(scenario)
    simulation.advance(3 * simulation.period)
    counts = scenario.train.counts
    assert simulation.traffic.rows.tolist() == counts.tolist()
    assert simulation.traffic.bytes.tolist() == (8 * counts).tolist()
    assert simulation.bytes == 8 * counts.sum()
    assert simulation.messages == (counts > 0).sum()
    assert simulation.node_rounds == 3 * len(scenario.train)
