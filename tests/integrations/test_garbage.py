"""Memory of a process that analyses again and again, while somebody waits for its answers."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from jitlint.foundation.garbage_collection import PutOff


class Knot:
    """Something that only the collector frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _collecting() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.enable()
    yield
    gc.unfreeze()
    if not enabled:
        gc.disable()


def _knot(garbage: PutOff) -> weakref.ref[Knot]:
    with garbage.while_busy():
        knot = Knot()
        return weakref.ref(knot)


def test_what_was_made_is_freed_later_and_not_at_once() -> None:
    garbage = PutOff()
    knot = _knot(garbage)
    gc.collect()
    assert knot() is not None
    garbage.collect()
    assert knot() is None


def test_what_is_put_off_again_and_again_is_freed_all_the_same() -> None:
    garbage = PutOff()
    knots = [_knot(garbage) for _ in range(20)]
    alive = [knot() is not None for knot in knots]
    assert any(alive)
    assert not all(alive)


def test_the_collector_is_on_again_after_an_error() -> None:
    garbage = PutOff()
    with pytest.raises(KeyError), garbage.while_busy():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()
