"""Neighbours: tacit's recipes inside other libraries, and its data and runs as their files.

implicit_like   `Recommender`: fit, recommend and similar_items, as the models of `implicit` have them
lenskit         `TacitScorer`: a component for a pipeline of LensKit's, which must be installed
lenskit_files   data, split and recommendations of a run in LensKit's own formats; LensKit is not needed to write them
"""
