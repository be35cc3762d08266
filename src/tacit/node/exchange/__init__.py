"""What a node shares and learns.

disclosure      which ratings take part in what is shared, and what a rating means to a model
gossip_learner  gossip learning on an open catalogue, for one person or a cluster
score_received  how well a received model fits this node's own ratings
"""
