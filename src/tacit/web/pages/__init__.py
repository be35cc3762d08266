"""The pages, one file each; `routes(site)` gives the routes of a page.

home     Tonight: the list with reasons, filters, search
saying   the buttons beside every title: stars, seen, want, not for me, undo; adding a title
few      well-known titles to rate
data     Ratings: bring a file, list, change, download, delete
circle   Circle: create, join, link, members, what is shared, leave
left     What left: the ledger day by day
status   Status: mode, start, checks
welcome  the first visit
people   of a node that exchanges a model: peers and invitations
sharing  of the same: how much is disclosed, the next message, pause
"""
