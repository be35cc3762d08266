"""Federated collaborative filtering: clients return gradients of the whole model."""
