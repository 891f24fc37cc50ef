import datetime
import logging

import jax
import jax.numpy as jnp
import numpy as np
import portfolio_backtest as backtest

from tools.observation import compilations, is_tracer

returns = jnp.asarray(np.random.default_rng(2).normal(0.0, 0.01, (12, 3)), jnp.float32)
weights = jnp.array([0.5, 0.3, 0.2])

HOSTILE = {"window": backtest.worst_drawdown}
EXPECT = {"window": ("ValueError",)}
messages = []


class Keep(logging.Handler):
    def emit(self, record):
        messages.append(record.getMessage())


backtest.logger.addHandler(Keep())
backtest.logger.propagate = False


def gain():
    messages.clear()
    for day in range(3):
        backtest.equal_weight(returns[:7] * (1.0 + day))
    return len(messages) == 1 and "JitTracer" in messages[0]


def turnover():
    backtest.equal_weight(returns)
    return is_tracer(backtest.turnover_so_far)


class Later(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2099, 1, 1)


def clock():
    expiries = jnp.zeros(3)
    first = backtest.age_in_days(expiries)
    usual, datetime.datetime = datetime.datetime, Later
    try:
        second = backtest.age_in_days(expiries)
        other = backtest.age_in_days(jnp.zeros(5))
    finally:
        datetime.datetime = usual
    return bool((first == second).all()) and bool(other[0] > first[0] + 1000.0)


def quantile():
    backtest.report(returns, weights)
    return compilations(lambda: backtest.report(returns, weights)) >= 2


SILENT = {"gain": gain, "turnover": turnover, "clock": clock, "quantile": quantile}
INNOCENT = [
    lambda: backtest.sharpe(jnp.exp(jnp.cumsum(returns[:, 0]))),
    lambda: jax.jit(backtest.drawdown)(jnp.exp(jnp.cumsum(returns[:, 1]))),
]
