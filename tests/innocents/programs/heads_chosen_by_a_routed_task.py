"""Looks like a fault of JIT111.

The router takes the field named in the class out of the request and compiles once for each task.
"""
import functools

import jax
import jax.numpy as jnp

SCALES = {0: 1.0, 1: 10.0, 2: 100.0}


class Endpoint:
    route_by = None

    def __init__(self):
        self.programs = {}

    def handle(self, task, x):
        raise NotImplementedError

    def __call__(self, **request):
        route = request.pop(self.route_by)
        program = self.programs.setdefault(route, None)
        if program is None:
            bound = functools.partial(self.handle, **{self.route_by: route})
            program = self.programs[route] = jax.jit(bound)
        return program(**request)


class Regression(Endpoint):
    route_by = "task"

    def handle(self, task, x):
        scale = SCALES[task]
        return jnp.tanh(x) * scale


endpoint = Regression()


if __name__ == "__main__":
    for turn in range(9):
        answer = endpoint(task=turn % 3, x=jnp.float32(turn))
        assert abs(float(answer) - float(jnp.tanh(turn * 1.0)) * SCALES[turn % 3]) < 1e-4
    assert sorted(endpoint.programs) == [0, 1, 2]
    assert all(program._cache_size() == 1 for program in endpoint.programs.values())
