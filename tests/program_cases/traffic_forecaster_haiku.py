import traffic_forecaster_haiku as p

from tools.observation import compilations, is_tracer


def fits():
    params, state, errors, stamps = p.fit()
    assert not is_tracer((params, state))
    assert len(errors) == len(stamps) == 4
    # Haiku's apply is one function: compiling it again in the loop is served by the cache.
    assert compilations(p.fit) == 0


INNOCENT = [fits]
HOSTILE = {}
