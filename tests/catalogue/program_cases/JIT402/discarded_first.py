import bench

from tools.harm import spans


def compiled_before():
    found = spans(bench.main, bench)
    assert len(found) == 15 and not any(found[:8]) and not any(found[9:])


HOSTILE = {}
INNOCENT = [compiled_before]
