import jax
import jax.numpy as jnp
import pure_functions_lesson as lesson

from tools.observation import compilations, is_tracer, printed

HOSTILE = {}


def whole():
    printed(lesson.lesson)
    assert lesson.shopping_total == 3.0 and not is_tracer(lesson.readings)


def talk():
    text = printed(lambda: [lesson.slope_with_talk(v) for v in (1.0, 2.0, 3.0)])
    assert text.count("asked") == 3


def heard():
    before = len(lesson.readings)
    printed(lambda: [lesson.with_tracer_talk(v) for v in (1.0, 2.0)])
    jax.effects_barrier()
    assert len(lesson.readings) == before + 2


def table():
    lesson.table(jnp.float32(2.0))
    assert compilations(lambda: lesson.table(jnp.float32(3.0))) == 0


INNOCENT = [whole, talk, heard, table]
