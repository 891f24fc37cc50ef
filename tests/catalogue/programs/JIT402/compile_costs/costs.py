"""Spans that say that they compile."""

import time

import jax
import jax.numpy as jnp


def model(x):
    for _ in range(4):
        x = jnp.tanh(x * 1.5)
    return x.sum()


def compile_time(x):
    step = jax.jit(model)
    start = time.perf_counter()
    step(x).block_until_ready()
    compile_seconds = time.perf_counter() - start
    start = time.perf_counter()
    step(x).block_until_ready()
    run_seconds = time.perf_counter() - start
    print(f"compilation {compile_seconds:.3f} s, then {run_seconds:.6f} s")
    return compile_seconds, run_seconds


def first_and_second(x):
    step = jax.jit(model)
    for name in ("first call (with compilation)", "second call"):
        start = time.perf_counter()
        step(x).block_until_ready()
        print(f"{name}: {time.perf_counter() - start:.6f} s")


def total(x):
    """How long the user waits, all in all."""
    start = time.time()
    result = float(jax.jit(model)(x))
    print(f"finished after {time.time() - start:.1f} s: {result:.2f}")
    return result
