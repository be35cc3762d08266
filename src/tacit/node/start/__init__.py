"""The start: item rows learned from public ratings, and the rule that recommends from them to one person, alone.

rule         the rule: a person's vector, the order of titles, the parts a score is made of; arrays only
recommender  the same by item keys, with what members of a circle like; `Recommender` is what a node asks
rows_file    the start file: rows, keys, titles, provenance; checked when it is read
learn        learns rows and the rule's six numbers from public ratings
catalogue    keys and titles of a data set's items, as the node's own catalogue writes them
hues         a colour for every title
sequels      titles that belong together, so that a list is not ten parts of one story

Nothing here sends anything.
"""
