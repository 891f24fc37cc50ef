import io
import warnings

import jax
import jax.numpy as jnp
from factors import Recommender, present
from tracking import RunTracker

from tools.observation import compilations, is_tracer, printed

person, film = jnp.array([0, 1, 2, 3]), jnp.array([5, 4, 3, 2])
stars = jnp.array([1.0, 0.0, 1.0, 1.0])


def model():
    return Recommender(jax.random.key(0), 4, 6, 3, RunTracker(io.StringIO()))


def fitted():
    made = model()
    made.fit(person, film, stars)
    return made


def stream():
    text = fitted().tracker.stream.getvalue()
    return text.count("\n") == 1 and "JitTracer" in text


def residual():
    made = model()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for shift in range(3):
            made.evaluate(made.params, person, film, stars + shift)
    shown = [str(entry.message) for entry in caught if "residual" in str(entry.message)]
    return len(shown) == 1 and "JitTracer" in shown[0]


def top():
    made = model()
    printed(lambda: present(made))
    return compilations(lambda: printed(lambda: present(made))) >= 3


SILENT = {
    "losses": lambda: is_tracer(fitted().tracker.losses),
    "stream": stream,
    "residual": residual,
    "error": lambda: is_tracer(fitted().error),
    "top": top,
}


def one_step_compiled():
    made = fitted()
    assert compilations(lambda: made.fit(person, film, stars)) == 0


INNOCENT = [one_step_compiled]
