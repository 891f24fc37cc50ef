"""Looks like a fault of JIT212.

The write is only tried, for the error that it raises if the element does not fit; nothing is meant to change.
"""

import jax
import jax.numpy as jnp
import numpy as np


def fits(buffer, item):
    try:
        buffer.at[0].set(item)
    except (TypeError, ValueError):
        return False
    return True


class ReplayBuffer:
    """Arrays of whatever a transition consists of; made for the first one."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.columns = {}
        self.size = 0

    def add(self, **transition):
        if not self.columns:
            self.columns = {
                name: jnp.zeros((self.capacity, *np.shape(item)), np.result_type(item))
                for name, item in transition.items()
            }
        wrong = [n for n, item in transition.items() if not fits(self.columns[n], item)]
        if wrong:
            raise ValueError(f"these do not fit the buffer: {', '.join(wrong)}")
        place = self.size % self.capacity
        for name, item in transition.items():
            self.columns[name] = self.columns[name].at[place].set(item)
        self.size += 1


if __name__ == "__main__":
    replay = ReplayBuffer(2)
    for reward in (1.0, 2.0, 3.0):
        replay.add(state=np.full(3, reward, np.float32), reward=np.float32(reward))
    assert replay.columns["reward"].tolist() == [3.0, 2.0]
    try:
        replay.add(state=np.zeros(4, np.float32), reward=np.float32(0.0))
    except ValueError as error:
        assert str(error).endswith("buffer: state")
    else:
        raise SystemExit("it took a state of another size")
    assert replay.columns["state"][:, 0].tolist() == [3.0, 2.0] and replay.size == 3
