"""The local page of a live node: rendered here, for one person, on this computer only.

server            binds a port on loopback and serves the page in the node's event loop
app               the ASGI application: all routes behind the gate
gate              access control: host, session, origin, size
page_base         what all pages share: the state of the site, and kinds of routes
pages/            one file per page
render            the Jinja environment of `templates/`
formatting        sizes, times, counts and states as text
ledger_chart      numbers of the bar chart of the ledger
privacy_promises  what the page promises, each with the tests that enforce it
"""
