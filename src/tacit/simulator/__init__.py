"""The simulator: all nodes' arrays in one place, exact virtual time, bandwidth, loss and churn."""
