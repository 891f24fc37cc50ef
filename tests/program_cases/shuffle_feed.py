import feed

from tools.observation import compilations, is_tracer


def one_pass():
    weights, means, reservoir = feed.train()
    assert means.shape == (3, 3) and reservoir.seen == 11 and len(reservoir.kept) == 3
    assert not is_tracer(weights)


def one_compilation():
    feed.train()
    assert compilations(feed.train) == 0


HOSTILE = {}
INNOCENT = [one_pass, one_compilation]
