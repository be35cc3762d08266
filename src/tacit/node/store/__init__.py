"""The store: one SQLite file that holds everything a node knows.

database     opens the file: transactions, settings, the saved model, the lock of the running node
schema       its tables, as migrations
records      plain records that the other modules take and give
ratings      ratings, and keys and titles of known items
rating_checks  checksums of ratings
changes      own actions that can be undone
visits       what was shown to a person before
contacts     known peers and invitations
circles      the circle: its state, and the lists of all members
ledger       every message that left, and totals of what was sent and received
problem_log  lines about refused and failed messages
"""
