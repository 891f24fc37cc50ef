"""Memory of a process that analyses again and again, while somebody waits for its answers."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: the collector would look through all that other tests have left.
PROGRAM = """
import gc
import weakref

from jitlint.foundation.garbage_collection import PutOff


class Knot:
    # Something that only the collector frees.
    def __init__(self):
        self.itself = self


def knot(garbage, parts=200_000):
    with garbage.while_busy():
        assert not gc.isenabled()
        made = Knot()
        made.parts = [[] for _ in range(parts)]
        return weakref.ref(made)


# What was made is freed later, and not at once.
garbage = PutOff()
one = knot(garbage)
assert gc.isenabled()
gc.collect()
assert one() is not None
garbage.collect()
assert one() is None

# What is put off again and again is freed all the same.
knots = [knot(garbage, 400_000) for _ in range(12)]
alive = [it() is not None for it in knots]
assert any(alive) and not all(alive), alive

# Few are not hidden.
few = knot(garbage, 10)
gc.collect()
assert few() is None

# An analysis that fails leaves the collector as it was.
try:
    with garbage.while_busy():
        raise KeyError
except KeyError:
    assert gc.isenabled()
"""


def test_what_analyses_leave_is_freed_later_and_for_sure() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert not done.returncode, done.stderr
