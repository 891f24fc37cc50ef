"""Training that reports how long each epoch took."""

import time

import jax.numpy as jnp

from model import evaluate, init, train_step


def train(batches, epochs=2):
    params = init()
    params, loss = train_step(params, batches[0])
    loss.block_until_ready()
    times = []
    for epoch in range(epochs):
        start = time.time()
        for x in batches:
            params, loss = train_step(params, x)
        times.append(time.time() - start)  # expect: JIT401 @epoch
        print(f"epoch {epoch}: loss {loss:.3f} in {times[-1]:.2f} s")
    return params, times


def timed_evaluation(batches):
    params = init()
    float(evaluate(params, batches))
    start = time.perf_counter()
    loss = evaluate(params, batches)
    end = time.perf_counter()  # expect: JIT401 @helper
    return loss, end - start


def main():
    batches = [jnp.ones((400, 400)) * k for k in range(3)]
    train(batches)
    loss, seconds = timed_evaluation(batches)
    print(f"{seconds:.3f} s, {loss:.3f}")


if __name__ == "__main__":
    main()
