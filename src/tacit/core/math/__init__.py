"""Algorithms that several parts share, with the same bits on every machine.

als_solver          exact solves of implicit alternating least squares
kmeans              clusters of points
negative_sampling   random items that a user does not have
similarity          nearest item rows by cosine
"""
