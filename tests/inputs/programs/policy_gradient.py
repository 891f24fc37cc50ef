"""REINFORCE with a baseline, on whole episodes."""

import jax
import jax.numpy as jnp


def policy(params, observation):
    x = observation
    for layer in params["layers"]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return jax.nn.log_softmax(x @ params["logits"])


def returns(rewards, discount):
    def back(total, reward):
        total = reward + discount * total
        return total, total

    _, totals = jax.lax.scan(back, 0.0, rewards, reverse=True)
    return totals


def surrogate(params, episode, discount):
    log_probs = jax.vmap(policy, in_axes=(None, 0))(params, episode["observations"])
    chosen = log_probs[jnp.arange(len(episode["actions"])), episode["actions"]]
    gain = returns(episode["rewards"], discount)
    deviation = gain.std()
    if deviation > 0:  # expect: JIT101 @deviation
        gain = (gain - gain.mean()) / deviation
    return -(chosen * gain).mean()


@jax.jit
def improve(params, episode, discount=0.99):
    grads = jax.grad(surrogate)(params, episode, discount)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)
