"""Random keys that a trace makes of constants, and iterators from outside that it advances."""

from __future__ import annotations

from tests.linting import check


def test_keys_of_keys_are_constant_until_something_traced_is_folded_in() -> None:
    check(
        """
        @jax.jit
        def noisy(x, step):
            one = jax.random.key(0)  # JIT213
            rows = jax.random.split(jax.random.fold_in(one, 3), 4)
            for row in rows:
                x = x + jax.random.normal(row)
            other = jax.random.fold_in(jax.random.key(1), step)
            return x + jax.random.normal(other)
        """
    )


def test_a_seed_that_callers_choose_is_theirs() -> None:
    check(
        """
        def make(seed=0):
            return jax.random.key(seed)  # JIT213

        @jax.jit
        def by_default(x):
            return x + jax.random.normal(make())

        @partial(jax.jit, static_argnames="seed")
        def chosen(x, seed=0):
            return x + jax.random.normal(jax.random.key(seed))

        class Environment:
            def __init__(self, seed):
                self.seed = seed

            @partial(jax.jit, static_argnums=0)
            def step(self, x):
                return x + jax.random.normal(jax.random.key(self.seed))
        """
    )


def test_distributions_of_libraries_draw_with_a_seed() -> None:
    check(
        """
        @jax.jit
        def sampled(distribution, x):
            key = jax.random.key(0)  # JIT213
            return x + distribution(x).sample(seed=key)

        @jax.jit
        def dummy(model, x):
            return model(x).init(seed=jax.random.key(0))
        """
    )


def test_a_key_of_host_code_that_is_passed_is_none_of_the_trace() -> None:
    check(
        """
        @jax.jit
        def noisy(x, key):
            return x + jax.random.normal(key)

        def run(x):
            return noisy(x, jax.random.key(0)), noisy(x, key=jax.random.key(1))
        """
    )


def test_two_ways_to_a_key_are_one_of_them() -> None:
    check(
        """
        @jax.jit
        def noisy(x, key):
            if x.ndim > 1:
                key = jax.random.key(0)
            return x + jax.random.normal(key)
        """
    )


def test_elements_are_taken_once_from_what_is_older_than_the_trace() -> None:
    check(
        """
        def numbers():
            n = 0
            while True:
                yield n
                n += 1

        def make(source):
            @jax.jit
            def step(x):
                own = numbers()
                return x + next(source) + next(own)  # JIT210

            return step

        def run(x):
            step = make(numbers())
            return step(x), step(x)
        """
    )


def test_a_loop_over_a_list_or_a_new_iterator_begins_anew() -> None:
    check(
        """
        factors = [1.0, 2.0]
        pairs = zip(factors, factors)

        @jax.jit
        def scaled(x):
            for factor in factors:
                x = x * factor
            for index, factor in enumerate(factors):
                x = x + index * factor
            for one, other in pairs:  # JIT210
                x = x + one * other
            return x
        """
    )


def test_a_branch_takes_what_its_own_trace_has_made() -> None:
    check(
        """
        @jax.jit
        def chosen(x):
            steps = iter([0.5, 1.0])
            return jax.lax.cond(x > 0, lambda v: v + next(steps), lambda v: v, x)

        @jax.jit
        def walked(x):
            steps = iter([0.5, 1.0])
            return jax.lax.fori_loop(0, 2, lambda _, v: v + next(steps), x)  # JIT210
        """
    )


def test_what_is_drawn_for_the_shapes_of_something_else() -> None:
    check("""
        def noise_of(key, size):
            return jax.random.normal(key, (size,))

        def zeros_like_metrics(update, state, size):
            noise = noise_of(jax.random.PRNGKey(0), size)

            def logged(state):
                return update(state, noise)[1]

            shapes = jax.eval_shape(logged, state)
            return jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes)

        def drawn(update, state, size):
            noise = noise_of(jax.random.PRNGKey(0), size)  # JIT213

            def logged(state):
                return update(state, noise)[1]

            return logged(state), jax.eval_shape(logged, state)

        def update(state, noise):
            return state + noise, {"mean": jnp.mean(noise)}

        @jax.jit
        def begin(state):
            return zeros_like_metrics(update, state, 3)

        @jax.jit
        def begin_with_numbers(state):
            return drawn(update, state, 3)
    """)


def test_numbers_that_only_stand_where_there_are_no_others() -> None:
    check("""
        @jax.jit
        def normed(x):
            length = jnp.linalg.norm(x)
            noise = jax.random.normal(jax.random.PRNGKey(0), x.shape)  # JIT213
            x = x + noise
            return jnp.where(
                length > 0, x / length, jax.random.normal(jax.random.PRNGKey(0), x.shape)
            )

        @jax.jit
        def spread(x):
            key = jax.random.key(0)  # fixed seed, so that results are deterministic
            return x + jax.random.normal(key, x.shape)
    """)


def test_what_a_script_gives_to_nobody_serves_nobody() -> None:
    check("""
        @jax.jit
        def encoded(ids):
            table = jax.random.normal(jax.random.key(0), (ids.shape[0], 8))
            return table.mean()

        @jax.jit
        def used(ids):
            table = jax.random.normal(jax.random.key(0), (ids.shape[0], 8))  # JIT213
            return table.mean()

        _ = encoded(jnp.ones(3))
        _ = encoded(jnp.ones(3))
        print(used(jnp.ones(3)) + used(jnp.zeros(3)))
    """)
