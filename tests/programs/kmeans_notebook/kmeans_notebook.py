#!/usr/bin/env python
# coding: utf-8

# # Clusters of customers

# In[1]:


import random
from datetime import datetime
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

random.seed(0)
print("run on", datetime.now().strftime("%A"))


# In[2]:


points = np.random.default_rng(0).normal(size=(60, 2)).astype(np.float32)
points[:20] += 4.0
points[20:40, 1] -= 5.0


# In[3]:


def assign(centres, points):
    gaps = points[:, None, :] - centres[None, :, :]
    return jnp.argmin((gaps**2).sum(axis=-1), axis=1)


def lloyd(points, centres, count):
    member = jax.nn.one_hot(assign(centres, points), count)
    moved = (member.T @ points) / jnp.maximum(member.sum(axis=0), 1.0)[:, None]
    return moved


step = jax.jit(partial(lloyd, points), static_argnames="count")


# In[4]:


history = []
centres = jnp.asarray(points[random.sample(range(60), 3)])
for iteration in range(10):
    moved = step(centres, count=3)
    history.append(float(jnp.abs(moved - centres).max()))
    centres = moved
    if history[-1] < 1e-5:
        break
print("moved at last by", history[-1])


# In[5]:


@jax.jit
def inertia(centres):
    total = 0.0
    shares = {}
    for k in range(centres.shape[0]):
        near = assign(centres, points) == k
        shares[k] = jnp.where(near, ((points - centres[k]) ** 2).sum(axis=1), 0.0).sum()
        total += shares[k]
    return total, shares


total, shares = inertia(centres)
for k, share in shares.items():
    print(f"cluster {k}: {share:.2f} of {total:.2f}")


# In[6]:


for shrink in [1.0, 0.9, 0.8]:
    print(shrink, jax.jit(assign)(shrink * centres, points)[:5])


# In[7]:


@partial(jax.jit, static_argnums=1)
def restarts(key, count):
    """The best of some random starts."""

    def one(key):
        chosen = jax.random.choice(key, points, (3,), replace=False)
        final = jax.lax.fori_loop(0, 5, lambda _, c: lloyd(points, c, 3), chosen)
        return inertia(final)[0], final

    scores, finals = jax.vmap(one)(jax.random.split(key, count))
    return scores.min(), finals[scores.argmin()]


best, winners = restarts(jax.random.key(1), 4)
with open("/dev/null", "w") as out:
    print("best inertia", best, file=out)


# In[8]:


seen = set()
labels = np.asarray(assign(winners, points))
for label in labels:
    seen.add(int(label))
counts = dict.fromkeys(sorted(seen), 0)
for label in labels.tolist():
    counts[label] += 1
print(counts)
