"""Looks like a fault of JIT201.

The loop that the debugging profile selects calls the body in Python, every step.
"""
import contextlib
import io

import jax
import jax.numpy as jnp


def compiled_loop(body, state, steps):
    return jax.lax.scan(body, state, jnp.arange(steps))


def python_loop(body, state, steps):
    outputs = []
    for t in range(steps):
        state, output = body(state, t)
        outputs.append(output)
    return state, jnp.stack(outputs)


LOOPS = {"fast": compiled_loop, "debug": python_loop}


class Rollout:
    def __init__(self, profile):
        self.loop = LOOPS[profile["loop"]]

    def run(self, position, steps):
        def body(position, t):
            position = position * 0.5
            print(f"step {t}: position {position:.3f}")
            return position, position
        return self.loop(body, position, steps)


profile = dict(line.split("=") for line in "loop=debug,seed=0".split(","))


if __name__ == "__main__":
    lines = io.StringIO()
    with contextlib.redirect_stdout(lines):
        last, path = Rollout(profile).run(jnp.float32(8.0), 3)
    assert lines.getvalue().splitlines()[-1] == "step 2: position 1.000"
    assert path.tolist() == [4.0, 2.0, 1.0]
