"""Backtests of simple portfolios on daily returns."""

import datetime
import logging
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp

logger = logging.getLogger(__name__)
rebalancings = {}
turnover_so_far = 0.0


@jax.tree_util.register_dataclass
@dataclass
class Book:
    """What is held, and what it is worth."""

    weights: jax.Array
    value: jax.Array


def stamp():
    return datetime.datetime.now().timestamp()  # expect: JIT207 @clock


def note_turnover(before, after):
    global turnover_so_far
    moved = jnp.abs(after - before).sum()
    turnover_so_far = moved  # expect: JIT203 @turnover
    return moved


def rebalance(book, target, cost):
    moved = note_turnover(book.weights, target)
    return Book(target, book.value * (1.0 - cost * moved))


def one_day(book, returns, target=None, cost=0.001):
    grown = book.weights * (1.0 + returns)
    gain = grown.sum()
    logger.warning("gain of the day: %s", gain)  # expect: JIT206 @gain
    book = Book(grown / gain, book.value * gain)
    if target is not None:
        book = rebalance(book, target, cost)
    return book, book.value


def run(book, returns, target):
    logger.info("simulating %d days", returns.shape[0])
    return jax.lax.scan(partial(one_day, target=target), book, returns)


@jax.jit
def equal_weight(returns):
    count = returns.shape[1]
    target = jnp.full(count, 1.0 / count)
    _, values = run(Book(target, jnp.float32(1.0)), returns, target)
    return values


@jax.jit
def age_in_days(expiries):
    return (stamp() - expiries) / 86400.0


def drawdown(values, window=None):
    peak = jax.lax.cummax(values)
    return (values / peak - 1.0).min()


def worst_drawdown():
    """The drawdown, for use in reports."""
    return jax.jit(drawdown, static_argnames=["windows"])  # expect: JIT305 @window


def value_at_risk(returns, weights, level):
    """The loss that is not exceeded on a share ``level`` of the days."""
    quantile = jax.jit(partial(jnp.quantile, q=1.0 - level))  # expect: JIT303 @quantile
    return -quantile(returns @ weights)


def report(returns, weights):
    lines = {}
    lines["VaR 95"] = float(value_at_risk(returns, weights, 0.95))
    lines["VaR 99"] = float(value_at_risk(returns, weights, 0.99))
    lines["days"] = returns.shape[0]
    rebalancings.update(lines)
    logger.info("report of %s: %s", datetime.date.today(), lines)
    return lines


@jax.jit
def sharpe(values):
    gains = jnp.diff(jnp.log(values))
    return gains.mean() / gains.std() * jnp.sqrt(252.0)
