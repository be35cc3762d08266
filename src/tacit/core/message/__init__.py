"""Messages: what leaves a node, and its bytes.

update           `Update` and `release`, which makes one from the SHARED part of a node's state
codec            an `Update` as bytes, and back with every check
half_precision   float16 in compiled code
packing          float16 numbers compressed by a Huffman code
"""
