"""JIT215: which calls of samplers are the same call again."""

from __future__ import annotations

from tests.linting import check


def test_what_stands_between_two_calls_may_change_what_they_are_given() -> None:
    check(
        """
        def f(key, n):
            a = jax.random.normal(key, (n,))
            n = n + 1
            b = jax.random.normal(key, (n,))
            (key, n), c = jax.random.split(key), n
            d = jax.random.normal(key, (n,))
            e = jax.random.normal(key, (n,))  # JIT215
            with open("log") as key:
                pass
            return a, b, c, d, e, jax.random.normal(key, (n,))

        def g(keys):
            a = jax.random.normal(keys[0], (3,))
            b = jax.random.normal(keys[1], (3,))
            c = jax.random.normal(keys[0], shape=(3,))
            keys[1] = keys[0]
            return a, b, c, jax.random.normal(keys[1], (3,))
        """
    )


def test_the_first_call_has_to_be_made_whenever_the_second_one_is() -> None:
    check(
        """
        def f(key, flag, n):
            if flag:
                a = jax.random.normal(key, (n,))
            b = jax.random.normal(key, (n,)) if flag else 0.0
            try:
                c = jax.random.normal(key, (n,))
            except ValueError:
                c = None
            later = lambda: jax.random.normal(key, (n,))
            return b, c, later, jax.random.normal(key, (n,))

        def g(key, n):
            with jax.default_device(jax.devices()[0]):
                a = jax.random.normal(key, (n,))
            if n > 3:
                a += jax.random.normal(key, (n,))  # JIT215
            return a
        """
    )


def test_of_one_key_one_draw_is_told() -> None:
    check(
        """
        def f(key, other):
            a = jax.random.normal(key)
            b = jax.random.normal(key)  # JIT215
            c = jax.random.normal(key)
            d = jax.random.normal(other)
            return a, b, c, d, jax.random.normal(other)  # JIT215
        """
    )


def test_loops_that_change_nothing_of_a_call() -> None:
    check(
        """
        def turns(key, items, shape):
            found = []
            for item in items:
                found.append(item + jax.random.normal(key, shape))  # JIT215
            for item in items:
                if item:
                    found.append(jax.random.uniform(key, shape))
            for item in items:
                found.append(jax.random.uniform(key, item.shape))
            for key in items:
                found.append(jax.random.gumbel(key, shape))
            while len(found) < 9:
                found.append(jax.random.laplace(key, shape))
            return found + [x for x in jax.random.cauchy(key, shape)]

        def named(key):
            return [jax.random.normal(key, (n,)) for n in (2, 3)]
        """
    )


def test_bodies_of_loops_with_keys_from_outside() -> None:
    check(
        """
        def f(key, xs):
            def body(x):
                return x + jax.random.normal(key, x.shape)  # JIT215

            def conditional(x):
                return jax.random.normal(key, x.shape) if xs.ndim > 1 else x

            def grown(x):
                return x + jax.random.normal(key, (int(n),))

            return jax.lax.map(body, xs), jax.lax.map(conditional, xs), jax.vmap(body)(xs)

        @jax.jit
        def g(key, xs):
            return jax.lax.scan(lambda k, x: (k, jax.random.normal(key)), key, xs)  # JIT215
        """
    )


def test_what_measures_tests_or_shows_is_left() -> None:
    check(
        """
        import time

        def f(key, n):
            start = time.time()
            for _ in range(n):
                x = jax.random.normal(key)
                x.block_until_ready()
            return time.time() - start

        def g(key):
            print(jax.random.normal(key), jax.random.normal(key))
            jax.random.normal(key)
            return jax.random.normal(key)
        """
    )


def test_statements_of_a_script_that_draw_alike_for_what_is_used_together() -> None:
    check("""
        key = jax.random.key(0)
        x = jax.random.normal(key, (8,))
        noise = jax.random.normal(key, (8,))  # JIT215
        y = x + noise

        key = jax.random.key(1)
        a = jax.random.uniform(key, (4,))
        key = jax.random.key(2)
        b = jax.random.uniform(key, (4,))
        c = a + b

        u = jax.random.normal(jax.random.key(3), (5,))
        v = jax.random.normal(jax.random.key(3), (5,))  # JIT215
        w = jnp.dot(u, v)
    """)


def test_statements_of_a_script_that_show_the_same_numbers_or_begin_anew() -> None:
    check("""
        key = jax.random.key(0)
        x = jax.random.normal(key, (8,))
        same = jax.random.normal(key, (8,))
        print(x - same)

        data = jax.random.normal(key, (9,))
        out = 2 * data
        data = jax.random.normal(key, (9,))
        more = 3 * data

        p = jax.random.uniform(key, (3,))
        q = jax.random.uniform(key, (3,))
        assert (p == q).all()
    """)


def test_a_seed_that_is_written_down_twice() -> None:
    check("""
        def f(n, seed):
            a = jax.random.normal(jax.random.key(seed), (n,))
            b = jax.random.normal(jax.random.key(seed), (n,))  # JIT215
            return a + b

        def each(models, n):
            for model in models:
                model(jax.random.normal(jax.random.key(0), (n,)))
    """)
