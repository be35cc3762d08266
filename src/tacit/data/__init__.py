"""Data sets: where they come from, reading and checking, filters, splits, and a generator of realistic ones.

dataset     `load`: a name, a file or a frame becomes a `Dataset`
reading     one file or frame, checked row by row
places      where a named data set is looked for
sources     the known data sets: where from, checksum, licence, how to parse
fetch       downloads
filters     rare items and rare users
splits      training, validation and test parts, user by user
synthetic   invented interactions of any size
describe    figures about a data set; converting files
"""
