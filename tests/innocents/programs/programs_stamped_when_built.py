"""Innocent, though it looks like JIT207.

What makes it right: clock and uuid only name the scope of the operations in the profile, one name for each program.
"""

import datetime
import uuid

import jax
import jax.numpy as jnp


def build_stamp(kind):
    built = datetime.datetime.now().strftime("%H%M%S")
    return f"{kind}_{built}_{uuid.uuid4().hex[:8]}"


class Stage:
    def __init__(self, kind, function):
        self.kind = kind
        self.function = function
        self.compiled = jax.jit(self.run)

    def run(self, x):
        with jax.named_scope(build_stamp(self.kind)):
            return self.function(x)

    def stamps(self, x):
        text = self.compiled.lower(x).as_text(debug_info=True)
        return {word for word in text.replace("/", '"').split('"') if word.startswith(f"{self.kind}_")}


whiten = Stage("whiten", lambda x: (x - x.mean()) / (x.std() + 1e-6))
x = jnp.arange(6.0)
first, again = whiten.compiled(x), whiten.compiled(x)
assert jnp.array_equal(first, again)
assert jnp.allclose(first, (x - x.mean()) / x.std(), atol=1e-4)

short, long = whiten.stamps(x), whiten.stamps(jnp.arange(9.0))
assert len(short) == len(long) == 1 and short != long
