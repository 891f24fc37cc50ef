"""A suite of benchmarks: each case is run and put into a table."""

import time

import jax
import jax.numpy as jnp


class Case:
    def __init__(self, name, function, *args):
        self.name, self.function, self.args = name, function, args

    def run(self):
        start = time.perf_counter()
        jax.block_until_ready(self.function(*self.args))
        return time.perf_counter() - start  # expect: JIT402 @case


class WarmCase(Case):
    def run(self):
        jax.block_until_ready(self.function(*self.args))
        return self.timed()

    def timed(self):
        start = time.perf_counter()
        jax.block_until_ready(self.function(*self.args))
        return time.perf_counter() - start


def table(case):
    x = jnp.ones(30)
    cases = [case("sort", jax.jit(jnp.sort), x), case("sum", jax.jit(jnp.sum), x)]
    seconds = {one.name: one.run() for one in cases}
    fastest = min(seconds, key=seconds.get)
    return {name: value / seconds[fastest] for name, value in seconds.items()}


def main():
    return table(Case), table(WarmCase)
