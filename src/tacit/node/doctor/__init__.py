"""What works at this node, what does not, and what to do: `tacit node doctor`.

check     what a check says
examine   all checks in order
local     checks of this computer: store, ratings, start, backup, disk, clock, page
reach     checks of the way to others: library, port, addresses, local network, relay, people, circle
"""
