import layers

from tools.harm import differs_from_eager
from tools.observation import is_tracer


def same():
    assert not differs_from_eager(layers.main)
    assert not is_tracer([layers.layer.angles, layers.total_angle(3)])


HOSTILE = {}
INNOCENT = [same]
