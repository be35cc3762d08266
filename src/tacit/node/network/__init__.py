"""How nodes find and reach each other, and what a message looks like.

transport       what a transport is: send, receive, close
carry           carries an agent's messages over a transport
presence        the network library runs exactly while something may leave
addresses       IP:port and relays' URLs as texts, and those of this computer
iroh_transport  the transport over iroh (encrypted QUIC)
iroh_incoming   what comes in over iroh, and how little of nodes that are not known
iroh_binding    import of the iroh library, and a patch for fast writes
local_discovery people one knows on a local network (mDNS)
traffic_meter   what the network library did, into the ledger
wire            messages to bytes and back, with every check
circle_messages what members of a circle send each other
invitations     invitations and links (id, addresses, secret), and the key pair of a node
peers           peers of a running node: permission, choice of receivers, back-off, rate limit
"""
