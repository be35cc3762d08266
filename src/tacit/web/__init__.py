"""The local page of a live node: rendered here, for one person, on this computer only.

server            binds a port on loopback and serves the page in the node's event loop
app               the ASGI application: all routes behind the gate
gate              access control: host, session, origin, size
page_base         what all pages share: the state of the site, and kinds of routes
pages/            one file per page; `saying` has the buttons beside every title
render            the Jinja environment of `templates/`
mode_line         the line of truth on every page
covers            a title as class names of a cover
reasons           why a title is in the list, as a sum and a bar
ledger_days       the ledger day by day
qr                a link as a drawing
formatting        sizes, times, counts and stars as text
privacy_promises  what the page promises, each with the tests that enforce it
"""
