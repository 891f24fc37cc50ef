import galaxy_zoo_nnx as p

from tools.observation import is_tracer


def fits():
    model, history = p.fit()
    assert int(model.seen[...]) == 24, model.seen[...]
    assert not is_tracer(model.seen[...])
    assert len(history["loss"]) == 2
    assert not is_tracer(p.features(model, next(p.batches(5))[0]))


INNOCENT = [fits]
HOSTILE = {}
