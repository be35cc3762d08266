"""Push-sum: nodes add up masked statistics without a server."""
