"""Latency of requests, as an operator sees it."""

import statistics
import time

import jax
import jax.numpy as jnp


class Server:
    def __init__(self, weights):
        self.weights = weights
        self.latencies = []
        self._forward = jax.jit(self.forward)

    @staticmethod
    def forward(weights, x):
        return jax.lax.fori_loop(0, 30, lambda _, x: jax.nn.relu(x @ weights), x)

    def predict(self, x):
        return self._forward(self.weights, x)

    def handle(self, request):
        started = time.time()
        answer = self.predict(request)
        self.latencies.append(time.time() - started)  # expect: JIT401 @latency
        return answer

    def report(self):
        return statistics.median(self.latencies)


def tokens_per_second(server, x, count=3):
    server.predict(x).block_until_ready()
    began = time.perf_counter()
    for _ in range(count):
        x = server.predict(x)
    rate = count / (time.perf_counter() - began)  # expect: JIT401 @rate
    print(f"{rate:.1f} tokens/s, shape {x.shape}")
    return rate


def compare(functions, x):
    """Which of the functions is the fastest?"""
    seconds = {}
    for name, function in functions.items():
        jax.block_until_ready(function(x))
        began = time.perf_counter()
        outputs = [function(x) for _ in range(2)]
        seconds[name] = time.perf_counter() - began  # expect: JIT401 @compare
        jax.block_until_ready(outputs)
    return min(seconds, key=seconds.get)


def slow(x):
    return Server.forward(x, x)


CANDIDATES = {"slow": jax.jit(slow), "fast": jax.jit(jnp.abs)}


def main():
    server = Server(jnp.eye(300))
    x = jnp.ones((300, 300))
    server.predict(x).block_until_ready()
    for _ in range(3):
        server.handle(x)
    return server.report(), tokens_per_second(server, x), compare(CANDIDATES, x)
