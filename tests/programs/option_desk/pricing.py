"""European, barrier and Asian options: closed forms, Monte Carlo and Greeks."""

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm
from scipy import stats

TRADING_DAYS = 252


def d_terms(spot, strike, rate, vol, expiry):
    spread = vol * jnp.sqrt(expiry)
    first = (jnp.log(spot / strike) + (rate + 0.5 * vol**2) * expiry) / spread
    return first, first - spread


@partial(jax.jit, static_argnames="kind")
def black_scholes(spot, strike, rate, vol, expiry, kind="call"):
    first, second = d_terms(spot, strike, rate, vol, expiry)
    discounted = strike * jnp.exp(-rate * expiry)
    if kind == "call":
        return spot * norm.cdf(first) - discounted * norm.cdf(second)
    elif kind == "put":
        return discounted * norm.cdf(-second) - spot * norm.cdf(-first)
    raise ValueError(f"unknown option {kind!r}")


@jax.jit
def digital(spot, strike, rate, vol, expiry):
    _, second = d_terms(spot, strike, rate, vol, expiry)
    return jnp.exp(-rate * expiry) * stats.norm.cdf(second)  # expect: JIT106 @cdf


@jax.jit
def intrinsic(spot, strike):
    if spot > strike:  # expect: JIT101 @money
        return spot - strike
    return 0.0


def paths(key, spot, rate, vol, expiry, steps, count):
    dt = expiry / steps
    shocks = jax.random.normal(key, (count, steps))
    drift = (rate - 0.5 * vol**2) * dt
    return spot * jnp.exp(jnp.cumsum(drift + vol * jnp.sqrt(dt) * shocks, axis=1))


@partial(jax.jit, static_argnums=(6, 7))
def asian(key, spot, strike, rate, vol, expiry, steps=TRADING_DAYS, count=1000):
    average = paths(key, spot, rate, vol, expiry, steps, count).mean(1)
    return jnp.exp(-rate * expiry) * jnp.maximum(average - strike, 0.0).mean()


@jax.jit
def daily_asian(key, spot, strike, vol, days):
    """An Asian option with one fixing a day."""
    shocks = jax.random.normal(key, (100, days))  # expect: JIT108 @days
    track = spot * jnp.exp(jnp.cumsum(vol * shocks, axis=1))
    return jnp.maximum(track.mean(1) - strike, 0.0).mean()


def knock_out(track, barrier):
    alive = track.max(1) < barrier
    survivors = track[alive]  # expect: JIT109 @alive
    return survivors[:, -1].sum() / track.shape[0]


@jax.jit
def barrier_option(key, spot, barrier):
    return knock_out(paths(key, spot, 0.01, 0.2, 1.0, 12, 64), barrier)


def annualised(vol, expiry):
    if isinstance(expiry, float):  # expect: JIT112 @years
        return vol * math.sqrt(expiry)
    return vol * jnp.sqrt(expiry / TRADING_DAYS)


implied_spread = jax.jit(annualised)


def greeks(spot, strike, rate, vol, expiry, kind="call"):
    price = partial(black_scholes, kind=kind)
    names = ("delta", "vega")
    values = jax.grad(price, argnums=(0, 3))(spot, strike, rate, vol, expiry)
    return {name: float(value) for name, value in zip(names, values)}


def smile(strikes, vols):
    """A table for the screen; plain NumPy and formatting."""
    price = jax.vmap(black_scholes, (None, 0, None, 0, None))
    prices = np.asarray(price(100.0, strikes, 0.01, vols, 1.0))
    return [f"{k:7.2f} {p:7.3f}" for k, p in zip(np.asarray(strikes), prices) if p > 0.01]


if __name__ == "__main__":
    key = jax.random.key(0)
    print(greeks(100.0, 105.0, 0.01, 0.2, 1.0, "put"))
    print(intrinsic(100.0, 95.0), digital(100.0, 95.0, 0.01, 0.2, 1.0))
    print(daily_asian(key, 100.0, 95.0, 0.01, 21), asian(key, 100.0, 95.0, 0.01, 0.2, 1.0))
    print(barrier_option(key, 100.0, 120.0), implied_spread(0.2, 1.0))
    print(smile(jnp.array([90.0, 100.0]), jnp.array([0.2, 0.2])))
