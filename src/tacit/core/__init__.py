"""What everything else stands on: randomness, node state, interactions, updates, the wire format, the ledger.

Nothing here knows a clock, a socket or a file format of the outside world.
"""
