"""Donated arrays: which one a value is, and whether JAX takes its memory."""

from __future__ import annotations

from jitlint.absint.limits import BUFFERS
from jitlint.absint.values.buffers import NO_BUFFERS, new_buffer, of_either
from tests.linting import check


def test_names_containers_and_callees_lead_to_the_same_array() -> None:
    check("""
        step = jax.jit(lambda x: 2 * x, donate_argnums=0)

        def read(x):
            return x.sum()  # JIT310

        def f():
            x = jnp.ones(3)
            other, held, fields = x, [x], {"x": x}
            step(x)
            return read(fields["x"])

        def g():
            x = jnp.ones(3)
            held = [x]
            step(x)
            return np.asarray(held[0])  # JIT310

        def h(x):
            y = x
            step(x)
            return y + 1  # JIT310
    """)


def test_the_objects_of_a_list_hold_arrays_of_their_own() -> None:
    check("""
        step = jax.jit(lambda x: 2 * x, donate_argnums=0)

        class Cell:
            def __init__(self, start):
                self.field = jnp.exp(start)

        def cells(n):
            return [Cell(float(i)) for i in range(n)]

        def each(n):
            return [step(cell.field) for cell in cells(n)]

        def in_turns(n):
            held, out = cells(n), []
            for cell in held:
                out.append(step(cell.field))
            return out

        def by_index(n):
            held, out = cells(n), []
            for i in range(n):
                out.append(step(held[i].field))
            return out

        def by_name(n):
            held = {f"cell {i}": Cell(float(i)) for i in range(n)}
            return {name: step(cell.field) for name, cell in held.items()}

        def within(n):
            held = [{"cell": cell} for cell in cells(n)]
            return [step(one["cell"].field) for one in held]

        class Pair:
            def __init__(self, start):
                self.both = jnp.exp(start), jnp.sin(start)

        def pairs(n):
            held = [Pair(float(i)) for i in range(n)]
            return [step(pair.both[0]) for pair in held]

        def same_turn(n):
            out = []
            for cell in cells(n):
                out.append(step(cell.field))
                out.append(cell.field + 1)  # JIT310
            return out

        def one_for_all(n):
            cell, out = Cell(1.0), []
            for _ in range(n):
                out.append(step(cell.field))  # JIT310
            return out
    """)


def test_a_name_that_is_not_known_may_be_that_of_the_array_given_away() -> None:
    check("""
        step = jax.jit(lambda x: 2 * x, donate_argnums=0)

        class Field:
            def __init__(self):
                self.values = jnp.ones(4)

        def renew(field, name):
            setattr(field, name, jnp.ones(4))

        def straight(name):
            field = Field()
            first = step(field.values)
            renew(field, name)
            return first, step(field.values)

        def in_turns(names):
            field, out = Field(), []
            for name in names:
                out.append(step(field.values))
                setattr(field, name, jnp.ones(4))
            return out

        def other(name):
            field = Field()
            first = step(field.values)
            setattr(field, f"further_{name}", jnp.ones(4))
            return first, step(field.values)  # JIT310
    """)


def test_comprehensions_have_a_second_turn() -> None:
    check("""
        step = jax.jit(lambda x, i: x * i, donate_argnums=0)

        def direct(n):
            x = jnp.exp(1.0)
            return [step(x, i) for i in range(n)]  # JIT310

        def by_name(n):
            x = jnp.exp(1.0)
            return {str(i): step(x, i) for i in range(n)}  # JIT310

        def closed_over(n):
            x = jnp.exp(1.0)

            def shifted(i):
                return step(x, i)  # JIT310

            return sum(shifted(i) for i in range(n))

        def carried(x, n):
            return [(x := step(x, i)) for i in range(n)]

        def made(n):
            return [step(jnp.exp(float(i)), i) for i in range(n)]

        def copied(n):
            x = jnp.exp(1.0)
            return [step(jnp.copy(x), i) for i in range(n)]
    """)


def test_another_array_of_the_same_place_is_another() -> None:
    check("""
        step = jax.jit(lambda x: 2 * x, donate_argnums=0)

        def make():
            return jnp.ones(3)

        def f(n):
            a, b = make(), make()
            step(a)
            for _ in range(n):
                step(make())
            return b + 1

        def g(xs):
            return [step(jnp.asarray(x)) for x in xs], [step(x) + 1 for x in map(jnp.sin, xs)]

        def h(keys):
            states = [jax.random.normal(key) for key in keys]
            for state in states:
                print(step(state))

        def k(n):
            x = jnp.ones(3)
            if n:
                step(x)
                x = jnp.zeros(3)
            return x + 1
    """)


def test_only_what_fits_an_output_is_taken() -> None:
    check("""
        @partial(jax.jit, donate_argnums=(0, 1))
        def first(x, y):
            return jnp.where(x > 0, x, 0.0), y.sum()

        @partial(jax.jit, donate_argnums=0)
        def scanned(x, ys):
            return lax.scan(lambda c, y: (c * y, None), x, ys)[0]

        def f(x, y, ys):
            first(x, y)
            print(y + 1)
            print(x + 1)  # JIT310
            z = jnp.ones(3)
            scanned(z, ys)
            return z * 2  # JIT310

        @jax.jit
        def in_a_trace(x, y):
            first(x, y)
            return x + 1
    """)


def test_objects_hold_what_was_donated() -> None:
    check("""
        step = jax.jit(lambda x: 2 * x, donate_argnums=0)

        class A:
            def __init__(self):
                self.x = jnp.ones(3)

            def lose(self):
                return step(self.x)

            def keep(self):
                self.x = step(self.x)
                return self.x

        def f():
            a = A()
            a.keep()
            a.keep()
            return a.x + 1

        def g():
            a = A()
            a.lose()
            return a.x + 1  # JIT310

        def h():
            a, b = A(), A()
            a.lose()
            return b.x + 1
    """)


def test_shapes_and_types_may_still_be_asked_for() -> None:
    check("""
        step = jax.jit(lambda x: 2 * x, donate_argnums=0)

        def f(x):
            step(x)
            assert x is not None and x.is_deleted()
            return x.shape, x.dtype, x.ndim, jnp.zeros_like(x), len(x), isinstance(x, jax.Array)
    """)


def test_an_array_that_may_be_one_of_very_many_may_be_any() -> None:
    one_of = new_buffer()
    for _ in range(BUFFERS - 1):
        one_of = of_either(one_of, new_buffer())
    assert len(one_of) == BUFFERS
    assert of_either(one_of, one_of) == one_of
    assert of_either(one_of, new_buffer()) == NO_BUFFERS
    assert of_either(one_of, NO_BUFFERS) == NO_BUFFERS == of_either(NO_BUFFERS, one_of)


def test_a_container_that_holds_one_of_several_arrays() -> None:
    check("""
        from typing import NamedTuple

        class Params(NamedTuple):
            nodes: dict[str, jax.Array]

        def step(params, x):
            return Params({name: value + x for name, value in params.nodes.items()})

        def train(params, xs, quick):
            update = jax.jit(step, donate_argnums=0)
            for x in xs:
                if quick:
                    params = update(params, x)
                else:
                    params = update(params, x + 1)
                params = Params(params.nodes if x.ndim else {"w": x})
            return params

        train(Params({"w": jnp.ones(3)}), [jnp.ones(3)], True)
    """)


def test_a_script_reads_what_a_statement_before_has_given_away() -> None:
    check("""
        def step(state, x):
            return state + x

        step = jax.jit(step, donate_argnums=0)
        state, x = jnp.ones(3), jnp.ones(3)
        new = step(state, x)
        print(x.sum(), new.sum())
        print(state.sum())  # JIT310
    """)


def test_a_script_that_goes_on_with_what_it_was_given() -> None:
    check("""
        step = jax.jit(lambda state, x: state + x, donate_argnums=0)
        state = jnp.ones(3)
        state = step(state, 1.0)
        print(state.sum())
        for x in range(3):
            state = step(state, x)
        print(state.sum())
    """)


def test_what_is_compiled_ahead_of_its_calls_takes_memory_too() -> None:
    check("""
        def step(state, x):
            return state + x

        def ahead(state, x):
            compiled = jax.jit(step, donate_argnums=0).lower(state, x).compile()
            print(state.sum())
            new = compiled(state, x)
            return new, x.sum(), state.sum()  # JIT310

        def on(state, x):
            compiled = jax.jit(step, donate_argnums=0).lower(state, x).compile()
            for _ in range(3):
                state = compiled(state, x)
            return state.sum()

        class Trainer:
            def __init__(self, state):
                self.state = state
                self.step = jax.jit(step, donate_argnums=(0,)).lower(state, state).compile()

            def run(self, x):
                old = self.state
                self.state = self.step(self.state, x)
                return self.state, old + 1  # JIT310
    """)


def test_what_only_tells_how_traced_an_optimizer_is_is_no_array_of_it() -> None:
    check("""
        import optax
        from flax.training.train_state import TrainState

        def step(state, batch):
            grads = jax.grad(lambda p: (p["w"] * batch).sum())(state.params)
            return state.apply_gradients(grads=grads)

        step = jax.jit(step, donate_argnums=0)

        def fit(params, batches):
            state = TrainState.create(apply_fn=None, params=params, tx=optax.sgd(0.1))
            for batch in batches:
                state = step(state, batch)
            return state

        def forgets(params, batches):
            state = TrainState.create(apply_fn=None, params=params, tx=optax.sgd(0.1))
            for batch in batches:
                new = step(state, batch)  # JIT310
            return new
    """)


def test_a_tree_of_layers_is_taken_whole() -> None:
    check("""
        def layer(key):
            a, b = jax.random.split(key)
            return {"in": jax.random.normal(a, (3, 2)), "out": jax.random.normal(b, (2, 3))}

        def init(key, n):
            return {f"layer_{i}": layer(k) for i, k in enumerate(jax.random.split(key, n))}

        @partial(jax.jit, donate_argnums=0)
        def step(params, rate):
            return jax.tree.map(lambda p: p - rate * p, params)

        @partial(jax.jit, donate_argnums=0)
        def norms(params):
            return jax.tree.map(lambda p: jnp.sum(p**2), params)

        @partial(jax.jit, donate_argnums=(0, 1))
        def second(old, new):
            return jax.tree.map(lambda p: 2 * p, new)

        def train(key, n):
            params = init(key, n)
            start = params
            for _ in range(n):
                params = step(params, 0.1)
            return jax.tree.map(jnp.subtract, params, start)  # JIT310

        def train_a_copy(key, n):
            params = init(key, n)
            start = jax.tree.map(jnp.copy, params)
            for _ in range(n):
                params = step(params, 0.1)
            return jax.tree.map(jnp.subtract, params, start)

        def measure(key, n):
            params = init(key, n)
            sizes = norms(params)
            return jax.tree.map(jnp.divide, params, sizes)

        def go_on(key, n, other):
            old, new = init(key, n), init(other, n)
            made = second(old, new)
            return jax.tree.map(jnp.subtract, made, old)
    """)
