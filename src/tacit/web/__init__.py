"""The local page of a live node: rendered here, for one person, on this computer only."""
