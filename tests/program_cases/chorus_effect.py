import chorus_effect as fx
import numpy as np

from tools.observation import compilations

HOSTILE = {}


def demo():
    rack, clips = fx.demo()
    assert len(rack.log[rack.name]) == 3 and rack.effects[1].played == 3
    assert compilations(lambda: rack.process([np.float32(clip) for clip in clips])) <= 1


INNOCENT = [demo, lambda: fx.Tremolo(2.0, 0.1)(np.ones(50, np.float32))]
