"""A node on a person's own device."""
