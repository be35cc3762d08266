"""The pages, one file each; `routes(site)` gives the routes of a page.

home     recommendations, search, rating
data     upload, list, delete and download ratings
sharing  disclosure, preview of the next message, pause, ledger
people   peers, invitations, connection problems
welcome  the first run
"""
