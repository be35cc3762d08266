"""Kits that check a part against what tacit expects of it, and a host in memory to try protocols on.

from tacit.testing import check_merge
def test_mine(): check_merge(my_merge)
"""
