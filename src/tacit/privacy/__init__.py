"""What a message passes on its way out: each shield is one small pure step, chained in order.

none                leaves everything as it is
disclosure          leaves out rows about own items, with probability 1 - pi
subsample           leaves out rows by chance, rows about own items last
row_limit           the same, by a number of rows that fit into a message
known               leaves out rows that nobody ever updated
sparse              leaves out rows of zeros
secure_aggregation  masks that cancel in a sum, for a start from data
"""
