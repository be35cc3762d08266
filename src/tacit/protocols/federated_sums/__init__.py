"""Federated sums: clients return statistics, the server adds them up."""
