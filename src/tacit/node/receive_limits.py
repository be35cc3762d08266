"""Limits on messages: sizes, rows, rates and times. Everything received is checked against them before it is used."""

from __future__ import annotations

MAX_MESSAGE = 4 * 2**20
"""Bytes of one message."""
MAX_GREETING = 64 * 2**10
"""Bytes of a message from somebody who is not known."""
MAX_ROWS = 100_000
"""Rows a node keeps; the least useful go first."""
MAX_SENT_ROWS = 4_000
"""Rows in one message."""
MAX_NEW_ROWS = 20_000
"""Rows in one received message."""
MAX_NUMBER = 1_000.0
"""Largest number in a row: a finite number can still be large enough to ruin everything it is averaged with."""
MAX_NORM = 50.0
"""Largest length of a received row."""
MAX_AGE_STEP = 1_000
"""How much older than the oldest row here a received one counts at most: age weighs, and may be a lie."""
MAX_ITEMS = 200_000
"""Catalogue entries a node keeps."""
MAX_KEYS = 500
"""Catalogue entries in one exchange."""
MAX_WHISPERS = 80
"""Catalogue entries in one exchange that are not public yet."""
MAX_VIEW = 20
"""Peers in one exchange."""
MAX_CATALOGUE = 20_000
"""Rows that sums are exchanged about."""
MAX_SUM = 30_000.0
"""Largest number in a share of sums, masks included."""
MAX_WEIGHT = 1_000.0
"""Largest weight of a share: how many people's data it could be at most."""
BURST, EVERY = 30, 0.5
"""Messages a peer may send at once, and seconds until one more is allowed: more is a flood."""
MAX_STRANGERS = 16
"""Connections of nodes that are not known, at the same time."""
STRANGER_MESSAGES, STRANGER_SECONDS, STRANGER_BYTES = 4, 10.0, 4 * MAX_GREETING
"""Messages, time and bytes that one such connection may take, then it is closed."""
SEND_SECONDS = 15.0
"""How long sending and waiting for the answer may take."""
HANDLE_SECONDS = 20.0
"""How long a peer may take to deliver a message once it began."""
MAX_CIRCLE = 50
"""Members of a circle."""
MAX_GONE = 200
"""Ends of memberships that a roster knows of."""
MAX_TITLES = 2_000
"""Titles in one member's list."""
PARTS = 16
"""Parts that a list's titles are divided into: a title that changes sends one of them again."""
MAX_PART = 64 * 2**10
"""Bytes of one encrypted part."""
MAX_WANTED = 256
"""Parts that one message asks for or carries."""
MAX_CARRIED = 2**20
"""Bytes of the parts in one message."""
MAX_LIST_VERSION = 2**31
"""Largest version of a list or roster."""
LIST_BURST, LIST_EVERY = 20, 600.0
"""Versions of one member's list that are taken at once, and seconds until one more is. Fewer titles never wait."""
ADD_BURST, ADD_EVERY = 5, 600.0
"""The same for own versions with new titles: never more than others take. Taking back does not wait."""
JOIN_BURST, JOIN_EVERY = 3, 600.0
"""How often a member may use the link again."""
PEER_BYTES = 4 * 2**20
"""Bytes of comparisons that one member gets from a node at once, and again within a day."""
MAX_ROSTER = 24 * 2**10
"""Bytes of a roster; what is longest ago goes first."""
MAX_BRANCHES = 8
"""Rosters that do not know of each other which a node keeps, the newest ones."""
