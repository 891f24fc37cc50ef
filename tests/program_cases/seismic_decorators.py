import traces

from tools.observation import compilations


def counts():
    found, calls = traces.picks([1, 2, 3])
    assert len(found) == 3
    assert calls["pick"] == traces.pick.calls == 3
    assert compilations(lambda: traces.picks([4, 5])) == 0


INNOCENT = [counts, lambda: traces.taper(traces.synthetic(0))]
HOSTILE = {}
