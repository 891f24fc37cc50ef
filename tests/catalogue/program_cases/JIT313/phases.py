import jax.numpy as jnp

import phases

from tools.harm import compiled

W = jnp.ones(3)


def once():
    assert compiled(lambda: phases.two_phases(W), "pretrain") == 1
    assert compiled(lambda: phases.two_phases(W), "finetune") == 1
    assert compiled(lambda: phases.recover(W, 0), "pretrain") == 1
    assert compiled(lambda: phases.train_width(4), "step") == 1


HOSTILE = {}
INNOCENT = [once]
