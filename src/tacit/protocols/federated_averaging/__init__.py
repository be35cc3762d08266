"""Federated averaging (FedAvg, FedFast, Reptile): clients return whole models."""
