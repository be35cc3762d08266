"""The items a node knows: how they are named, and where their rows are.

item_keys            readable keys (`film:t:night ferry:2010`), and the 64-bit row number of a key
title_normalization  one form for all spellings of a title
row_index            position of each row in the model's arrays, growing up to a cap
"""
