"""A person's own node: suggestions alone, in a circle, or with an exchanged model for research.

    service             what the command line and the page call: rate, recommend, share, invite, ledger
    suggestions         the start a node goes by, its lists, the search for titles
    choose_list         filters a list and adds reasons; what a rating weighs
    first_setup         creates a node: key pair, settings, empty store
    peer_compatibility  models and rules of live nodes, and what two nodes must agree on
    assemble            builds the agent, or only the saved model, from a store and its rules
    agent               decides what to send when the node wakes; no network, no clock
    receive             handles received messages and answers
    receive_limits      limits on everything received: sizes, rows, rates, times
    runtime             event loop of a running node: clock and network around an agent
    warmup              compiles all kernels once, before the node runs
    recommend, fold_in  the best items of an exchanged model; a person's private vector, solved exactly
    import_ratings      reads an export in any known format
    sandbox             the same in a subprocess with limits, for uploads
    export_ratings      writes ratings as csv
    backups             daily backups of ratings
    restore_ratings     puts a backup back

    start/              rows learned from public ratings, and the rule that recommends from them
    catalogue/          item keys, titles, and the rows of the model they belong to
    store/              the SQLite file: settings, ratings and their checksums, peers, ledger, problem log
    importers/          one file per format
    network/            transport, wire format, invitations, peers
    exchange/           what is shared: disclosure, gossip learning, scores of received models
    push_sum/           nodes that exchange sums

No title or rating is looked up online; the network library looks up addresses by itself. What a node tells others goes
through `core.message.update.release` and into the ledger first.
"""
