"""What all simulations share: all nodes' arrays in one place, exact virtual time, bandwidth and churn.

simulation        what a simulation is made of (`Scenario`) and what it offers (`Simulation`)
virtual_time      one window of virtual time: which node handles which message when
fleet             all nodes' models and data as a few large arrays
user_groups       which users a node learns for
outgoing_messages a simulated message past its shields, counted as encoded
initialize        how models start: by chance, or from the data
scoring           predictions and rankings of all users, each by the model of their own node
checkpoint        a state on disk, to go on from
churn/            which nodes are online when
"""
