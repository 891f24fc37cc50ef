import slice_sampler as s
from tools.observation import compilations


def distinct():
    assert len(set(s.sample(0, 10))) == 10
    assert compilations(lambda: s.sample(1, 10)) == 0


INNOCENT = [distinct, lambda: s.sample(2, 3, [0.0])]
