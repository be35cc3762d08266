"""A node on a person's own device: the same protocols, models and merges as the simulator's, over a real network.

    store       one SQLite file: settings, items, ratings, model, peers, invitations, ledger; schema.py migrates it
    records     what the store gives and takes, as typed records
    service     what the command line and the local page call: rate, recommend, share, invite, ledger ...
    keys        what an item is called, and the 64-bit number of its row; importers/ read other services' exports
    rows        an open catalogue: which row of the model belongs to which item, growing up to a cap
    learner     the gossip state machine (protocols/gossip/node.py) on such rows, for one person or a cluster
    choices     which of a person's ratings take part in what is shared (disclosure)
    recommend   the person's own part, solved exactly for the current rows; the best items; what they are near to
    wire        messages as bytes, and back with every check
    agent       what a node does with a message and when it wakes: no network, no clock
    transport   send, receive, close; memory.py for tests, iroh.py for people
    tickets     invitations: key, addresses, a one-time secret
    node        time and network around an agent

Nothing here looks anything up online. What leaves goes through `core.update.release` and into the ledger first.
"""
