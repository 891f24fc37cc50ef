"""The state of a training run."""

from typing import Any, Callable

import optax

from flax import struct


class TrainState(struct.PyTreeNode):
    """Parameters, the state of the optimizer, and how many steps were done."""

    step: Any
    params: Any
    opt_state: Any
    apply_fn: Callable = struct.field(pytree_node=False)
    tx: optax.GradientTransformation = struct.field(pytree_node=False)

    def apply_gradients(self, *, grads, **kwargs):
        updates, opt_state = self.tx.update(grads, self.opt_state, self.params)
        params = optax.apply_updates(self.params, updates)
        return self.replace(step=self.step + 1, params=params, opt_state=opt_state, **kwargs)

    @classmethod
    def create(cls, *, apply_fn, params, tx, **kwargs):
        return cls(
            step=0, params=params, opt_state=tx.init(params), apply_fn=apply_fn, tx=tx, **kwargs
        )
