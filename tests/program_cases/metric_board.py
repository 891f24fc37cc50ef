import logging

import jax
import jax.numpy as jnp

import board
import network

from tools.observation import is_tracer, printed

PARAMS = network.init(jax.random.key(0))
X, Y = jnp.ones(4), jnp.zeros(4)


def train(width):
    params = network.init(jax.random.key(1), width=width)
    for n in range(3):
        params, _ = network.train_step(params, jnp.ones(width) * n, jnp.zeros(width))


def leaked():
    board.shared.clear()
    train(4)
    return len(board.shared) == 6 and is_tracer(board.shared)


def warned_once():
    records = []
    handler = logging.Handler()
    handler.emit = lambda record: records.append(record.getMessage())
    board.logger.addHandler(handler)
    try:
        train(5)
    finally:
        board.logger.removeHandler(handler)
    return len(records) == 1 and "JitTracer" in records[0]


def clean_board():
    for _ in range(2):
        _, metrics = network.forward_with_board(PARAMS, X)
        assert sorted(metrics) == ["block/norm", "block/out"] and not is_tracer(metrics)


def eager_show():
    _, metrics = network.forward_with_board(PARAMS, X)
    text = printed(lambda: board.show(metrics))
    assert "JitTracer" not in text and "block/norm" in text


SILENT = {
    "shared": leaked,
    "warning": warned_once,
    "show": lambda: "JitTracer" in printed(lambda: network.rollout(PARAMS, X, 3)),
}
INNOCENT = [clean_board, eager_show, lambda: network.quiet_rollout(PARAMS, X, 2)]
