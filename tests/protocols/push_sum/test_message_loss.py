from tacit.protocols.push_sum.message_loss import ACK, SHARE, lost


def test_about_the_share_asked_for_is_lost_and_answers_apart_from_messages() -> None:
    shares = [lost(3, node, event, SHARE, 0.3) for node in range(40) for event in range(50)]
    acks = [lost(3, node, event, ACK, 0.3) for node in range(40) for event in range(50)]
    assert 0.26 < sum(shares) / 2000 < 0.34
    assert shares != acks
    assert not any(lost(3, 0, event, SHARE, 0.0) for event in range(100))
