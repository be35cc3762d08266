"""Whom to send to: graphs that say who may know whom, samplers that pick from them."""
