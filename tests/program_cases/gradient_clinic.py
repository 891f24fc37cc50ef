import gradient_clinic as p

from tools.observation import is_tracer


def examined():
    p.calls = 0
    anatomy, norms, noisy, along, slope = p.examine()
    assert p.calls == 3 and len(p.shapes_seen) >= 3
    assert anatomy.evaluations == 3 + 1 + 12
    assert (noisy[0] != noisy[1]).any()
    assert not is_tracer((norms, noisy, along, slope))


INNOCENT = [examined]
HOSTILE = {}
