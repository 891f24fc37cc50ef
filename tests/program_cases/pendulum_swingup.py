import jax
import jax.numpy as jnp
from pendulum_swingup import env as envs
from pendulum_swingup import physics, rollouts

from tools.observation import is_tracer, printed

KEY = jax.random.key(0)
STATE = envs.State(jnp.ones(()), jnp.ones(()), jnp.zeros(()))


def played(count=3):
    env = envs.Pendulum()
    rollout = rollouts.make_rollout(env, 6)
    for _ in range(count):
        rollout(jnp.ones(3), STATE)
    return env


def gust_frozen():
    calls = []
    original = physics.random.uniform
    physics.random.uniform = lambda a, b: calls.append(1) or original(a, b)
    try:
        played()
    finally:
        physics.random.uniform = original
    return len(calls) <= 2


def starts_leak():
    env = envs.Pendulum()
    rollouts.starts(env, KEY, 3)
    return len(env.starts) == 1 and is_tracer(env.starts)


def tip_fails():
    try:
        envs.Pendulum().tip(STATE)
    except TypeError:
        return True
    return False


def reward_once():
    text = printed(lambda: rollouts.trace_rewards(STATE, 0.9, 5))
    return text.count("reward") == 1 and "Tracer" in text


def resets_print():
    env = envs.Pendulum()
    text = printed(lambda: [rollouts.starts(env, KEY, 3) for _ in range(3)])
    assert text.count("reset from") == 3


HOSTILE = {}
EXPECT = {}
SILENT = {
    "gust": gust_frozen,
    "starts": starts_leak,
    "observation": lambda: is_tracer(played().last_observation),
    "elapsed": lambda: played().elapsed <= 2,
    "tip": tip_fails,
    "reward": reward_once,
}
INNOCENT = [lambda: rollouts.random_search(envs.Pendulum(), KEY), resets_print]
