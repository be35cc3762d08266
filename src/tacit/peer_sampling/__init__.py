"""Peer sampling: which peers a node knows, and which of them it sends to. `peers=NAME` picks a sampler.

base           what a sampler is
uniform        any known peer that is online, each equally likely
personalized   PEPPER's views: the best senders so far, and random nodes
newscast       views of live nodes, exchanged so that they stay fresh
graphs         fixed overlay graphs
"""
