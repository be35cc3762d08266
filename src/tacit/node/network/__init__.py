"""How nodes find and reach each other, and what a message looks like.

transport       what a transport is: send, receive, close
iroh_transport  the transport over iroh (encrypted QUIC)
iroh_binding    import of the iroh library, and a patch for fast writes
wire            messages to bytes and back, with every check
invitations     tickets (id, addresses, one-time secret), and the key pair of a node
peers           peers of a running node: permission, choice of receivers, back-off, rate limit
"""
