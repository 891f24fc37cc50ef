"""Volatility models for daily closes, fitted in parallel over tickers."""

import os
import warnings
from datetime import date, timedelta
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

CACHE_FOLDER = os.environ.get("TICKER_CACHE", "cache")
FITTERS = {}


def ewma(params, returns):
    keep = jax.nn.sigmoid(params[0])

    def day(variance, r):
        return keep * variance + (1.0 - keep) * r**2, variance

    return jax.lax.scan(day, returns.var(), returns)[1]


def garch(params, returns):
    base, shock, keep = jax.nn.softplus(params)

    def day(carry, r):
        variance, history = carry
        history = history.at[0].set(r**2)
        variance = base * 0.01 + 0.1 * shock * history[0] + 0.5 * keep * variance
        return (variance, jnp.roll(history, 1)), variance

    start = (returns.var(), jnp.zeros(3))
    return jax.lax.scan(day, start, returns)[1]


MODELS = {"ewma": (ewma, 1), "garch": (garch, 3)}


def likelihood(model, params, returns):
    """Negative log likelihood; says so, on the host, when a path is degenerate."""
    variance = model(params, returns) + 1e-8

    def complain(lowest):
        if lowest < 1e-7:
            warnings.warn(f"variance fell to {lowest}")

    jax.debug.callback(complain, variance.min())
    return 0.5 * jnp.mean(jnp.log(variance) + returns**2 / variance)


def fit(model, size, steps, returns):
    objective = partial(likelihood, model)
    path = []
    params = jnp.zeros(size)
    for _ in range(steps):
        value, gradient = jax.value_and_grad(objective)(params, returns)
        params = params - 0.1 * gradient
        path.append(value)
    return params, jnp.stack(path)


def fitter(name, steps=3):
    """A compiled, vectorised fit; made when it is first needed."""
    try:
        return FITTERS[name, steps]
    except KeyError:
        model, size = MODELS[name]
        made = jax.jit(jax.vmap(partial(fit, model, size, steps)))
        FITTERS[name, steps] = made
        return made


def closes(tickers, days=30):
    """Simulated prices by ticker, and the dates."""
    rng = np.random.default_rng(len(tickers))
    today = date.today()
    dates = [today - timedelta(days=k) for k in range(days)]
    prices = np.exp(np.cumsum(rng.normal(0, 0.02, (len(tickers), days)), axis=1))
    prices[:, 0] = 1.0
    return dates[::-1], prices.astype(np.float32)


def report(tickers):
    dates, prices = closes(tickers)
    returns = np.diff(np.log(prices), axis=1)
    best = {}
    for name in MODELS:
        _, path = fitter(name)(returns)
        for ticker, value in zip(tickers, np.asarray(path)[:, -1]):
            if ticker not in best or value < best[ticker][1]:
                best[ticker] = (name, float(value))
    print(f"{dates[0]} to {dates[-1]}: {best}")
    return best
