#!/usr/bin/env python
# coding: utf-8

# # Which customers leave?

# In[1]:


import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(11)


# In[2]:


X = rng.normal(size=(200, 6)).astype(np.float32)
X[:, 0] = 1.0
true_w = np.array([0.2, -1.0, 0.7, 0.0, 0.4, 1.2], np.float32)
y = (X @ true_w + rng.logistic(size=200) > 0).astype(np.float32)
X_train, X_test = X[:150], X[150:]
y_train, y_test = y[:150], y[150:]


# In[3]:


history = []


def negative_log_likelihood(w, X, y):
    logits = X @ w
    value = jnp.mean(jnp.logaddexp(0.0, logits) - y * logits)
    history.append(value)  # expect: JIT202 @history
    return value


# In[4]:


w = jnp.zeros(6)
for epoch in range(6):
    w = w - 0.5 * jax.jit(jax.grad(negative_log_likelihood))(w, X_train, y_train)  # expect: JIT301 @epochs
print("weights", np.round(np.asarray(w), 2))


# In[5]:


thresholds = [0.3, 0.4, 0.5, 0.6]
accuracies = [
    jax.jit(lambda w: jnp.mean((jax.nn.sigmoid(X_test @ w) > t) == y_test))(w)  # expect: JIT301 @thresholds
    for t in thresholds
]
for t, accuracy in zip(thresholds, accuracies):
    print(f"threshold {t}: accuracy {float(accuracy):.2f}")


# In[6]:


def jittered(w):
    return w + 0.1 * np.random.normal(size=w.shape)  # expect: JIT207 @jitter


@jax.jit
def stability(w):
    """How far the scores move when the weights do."""
    return jnp.abs(X_test @ jittered(w) - X_test @ w).max()


spread = [float(stability(w)) for _ in range(4)]


# In[7]:


@jax.jit
def winsorised(X, limit):
    X[:, 1:] = jnp.clip(X[:, 1:], -limit, limit)  # expect: JIT205 @winsor
    return X


@jax.jit
def standardised(X):
    return (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-6)


# In[8]:


odds = jax.jit(lambda w: jnp.exp(w))
for name in ("fit", "flipped"):
    print(name, odds(w if name == "fit" else -w))
