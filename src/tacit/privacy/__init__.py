"""What stands between a node's shared fields and the wire: each shield one small pure step, chained in order."""
