"""Learning rules of a federation, one file per protocol: what a client answers, and what the server makes of it."""
