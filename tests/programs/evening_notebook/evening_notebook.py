# %% [markdown]
# An evening with the ferry data: how many passengers tomorrow?

# %%
import random
import time
from datetime import date, timedelta

import jax
import jax.numpy as jnp
import numpy as np

random.seed(0)
np.random.seed(0)
today = date(2024, 5, 1)
notes = []

# %%
days = [today - timedelta(days=n) for n in range(28)][::-1]
passengers = np.empty(len(days), np.float32)
for i, day in enumerate(days):
    passengers[i] = 200 + 40 * (day.weekday() >= 5) + np.random.normal(scale=5)
passengers[random.randrange(len(days))] += 1.0
notes.append(f"{len(days)} days")


# %%
def one_hot_weekdays(days):
    table = np.zeros((len(days), 7), np.float32)
    for row, day in enumerate(days):
        table[row, day.weekday()] = 1.0
    return table


def loss(effects, table, counts):
    return jnp.mean((table @ effects - counts) ** 2)


step = jax.jit(lambda effects, table, counts: effects - jax.grad(loss)(effects, table, counts))

# %%
table = one_hot_weekdays(days)
effects = jnp.zeros(7)
trace = []
started = time.time()
for epoch in range(20):
    effects = step(effects, table, passengers)
    if epoch % 5 == 0:
        current = float(loss(effects, table, passengers))
        trace.append(current)
        print(f"{epoch:3d} {current:10.2f}")
effects.block_until_ready()
notes.append(f"{time.time() - started:.0f} s")


# %%
@jax.jit
def resample(key, effects):
    """Tomorrow's number with noise, and with one weekday left out."""
    noise = jax.random.normal(key, effects.shape)
    left_out = []
    for weekday in range(7):
        left_out.append(effects.at[weekday].set(0.0).sum())
    effects = effects.at[0].add(1.0)
    effects = effects.at[1:3].multiply(0.5)
    return effects + noise, jnp.stack(left_out)


draws = []
key = jax.random.key(today.toordinal())
for _ in range(3):
    key, sub = jax.random.split(key)
    sample, left_out = resample(sub, effects)
    draws.append(np.asarray(sample))
draws = np.stack(draws)
draws[:, 0] -= 1.0

# %%
checks = [jax.jit(loss)(effects + shift, table, passengers) for shift in (0.0, 1.0, 2.0)]
assert checks[0] < checks[-1]
total_notes = len(notes)
print(notes, draws.std(axis=0))
