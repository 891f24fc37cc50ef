import jax
import jax.numpy as jnp
import learner
import replay

from tools.observation import compilations, is_tracer

KEY = jax.random.key(0)


def filled(capacity=5):
    buffer = replay.create(capacity, 3)
    for value in range(4):
        buffer = replay.add(buffer, value * jnp.ones(3), jnp.float32(value), 1.0)
    return buffer


def ready(capacity=5):
    return replay.reweigh(filled(capacity), jnp.arange(float(capacity)))


def student():
    return learner.Learner(weights=jnp.zeros(3), updates=jnp.zeros((), jnp.int32))


def largest():
    ready(6)
    return is_tracer(replay.LARGEST)


def shapes():
    seen = replay.note_shape.__defaults__[0]
    seen.clear()
    buffer = filled(7)
    first = student()
    for _ in range(3):
        learner.learn(first, buffer.storage)
    return len(seen) == 1


def draws():
    run = lambda: learner.learn_until(student(), ready(), KEY, 0.0, (2, 2, 2))
    run()
    return compilations(run) >= 3


def cursor_moves():
    buffer = filled()
    assert int(buffer.cursor) == 4 and int(buffer.filled) == 4
    assert not is_tracer(buffer)


HOSTILE = {
    "columns": lambda: replay.replace(filled(), 1, {"reward": 2.0}),
}
EXPECT = {"columns": ("TypeError",)}
SILENT = {
    "priority": lambda: bool(jnp.all(filled().priorities == 0.0)),
    "largest": largest,
    "shapes": shapes,
    "draw": draws,
}
INNOCENT = [cursor_moves]
