"""What each transform makes of its arguments, seen from the code inside."""

from __future__ import annotations

import pytest

from tests.linting import check


def test_grad_alone_carries_values() -> None:
    check("""
        def loss(x, n):
            if x > 0:
                x = x * 2
            for _ in range(n):
                x = x + 1
            return x if int(x) else -x

        jax.grad(loss)(1.0, 3)
        jax.value_and_grad(loss)(1.0, 3)
        jax.jvp(lambda v: loss(v, 3), (1.0,), (1.0,))
    """)


def test_grad_alone_refuses_float() -> None:
    check("""
        def loss(x, scale):
            y = float(scale)
            return x * float(x) * y  # JIT105

        jax.grad(loss)(1.0, 2.0)
    """)


def test_jit_of_grad() -> None:
    check("""
        def loss(x, n):
            if n > 0:  # JIT101
                return x
            return x if x > 0 else -x  # JIT101

        jax.jit(jax.grad(loss))(1.0, 3)
    """)


def test_grad_inside_jit() -> None:
    check("""
        @jax.jit
        def update(p, batch):
            def loss(q):
                if q > 0:  # JIT101
                    return q * batch
                return q

            value, g = jax.value_and_grad(loss)(p)
            if value > 0:  # JIT101
                return p
            return p - g
    """)


def test_vmap_axes() -> None:
    check("""
        def row(x, n, scale):
            for _ in range(n):
                x = x + 1
            if scale > 0:  # JIT101
                return x
            return x if x > 0 else -x  # JIT101

        jax.vmap(row, in_axes=(0, None, 0))(jnp.ones(3), 2, jnp.ones(3))
    """)


def test_vmap_of_a_number_raises_before_the_function_runs() -> None:
    check("""
        def solve(a, b, *, lower=True):
            return a @ b if lower else b @ a

        def mirrored(a, b, *, lower=True):
            return a @ b if lower > 0 else b @ a  # JIT101

        @functools.partial(jax.jit, static_argnames="lower")
        def solve_all(a, b, *, lower=True):
            return functools.partial(jax.vmap(solve, in_axes=0), lower=lower)(a, b)

        @jax.jit
        def mirror_all(a, b):
            return jax.vmap(mirrored)(a, b, lower=jnp.ones(3))
    """)


def test_constants_stay_concrete_under_vmap_and_grad() -> None:
    check("""
        def row(x):
            limit = jnp.array(3)
            if limit > 2:
                x = x + 1
            return x.sum()

        jax.vmap(row)(jnp.ones((3, 3)))
        jax.grad(row)(jnp.ones(3))
    """)


def test_constants_are_traced_under_jit() -> None:
    check("""
        TABLE = jnp.arange(3)

        @jax.jit
        def f(x):
            if jnp.array(3) > 2:  # JIT101
                x = x + 1
            n = int(jnp.prod(jnp.array(x.shape)))  # JIT105
            k = int(np.prod(x.shape))
            if TABLE[0] > 1:  # JIT101
                pass
            return float(TABLE.sum()) + k  # JIT105
    """)


def test_captured_arrays_are_static_until_touched() -> None:
    check("""
        LIMIT = jnp.array(3)

        @jax.jit
        def f(x):
            for _ in range(LIMIT):
                x = x + 1
            if LIMIT:
                x = x[: int(LIMIT)]
            if LIMIT > 2:  # JIT101
                x = x + 1
            return x
    """)


@pytest.mark.parametrize(
    "call",
    [
        "lax.scan(lambda c, v: (c + hostile(v), v), 0.0, xs)",
        "lax.while_loop(lambda c: c < 3, lambda c: hostile(c), 0.0)",
        "lax.while_loop(lambda c: hostile(c) < 3, lambda c: c + 1, 0.0)",
        "lax.fori_loop(0, 3, lambda i, c: hostile(c), 0.0)",
        "lax.fori_loop(0, 3, lambda i, c: hostile(i) + c, 0.0)",
        "lax.cond(True, hostile, lambda v: v, 1.0)",
        "lax.switch(0, [hostile, lambda v: v], 1.0)",
        "lax.map(hostile, xs)",
        "jax.vmap(hostile)(xs)",
        "jax.checkpoint(hostile)(1.0)",
        "jax.make_jaxpr(hostile)(1.0)",
        "jax.eval_shape(hostile, 1.0)",
        "jax.pmap(hostile)(xs)",
        "jax.jit(jax.vmap(jax.grad(hostile)))(xs)",
        "jax.linear_transpose(hostile, 1.0)",
    ],
)
def test_abstract_outside_jit(call: str) -> None:
    check(f"""
        def hostile(v):
            return v * float(v)  # JIT105

        def host(xs):
            return {call}

        host(jnp.ones(3))
    """)


@pytest.mark.parametrize(
    "call",
    [
        "jax.pure_callback(judge, x, x)",
        "jax.experimental.io_callback(judge, x, x)",
        "jax.debug.callback(judge, x)",
    ],
)
def test_host_callbacks_get_arrays(call: str) -> None:
    check(f"""
        import jax.experimental

        def judge(v):
            if v > 0:
                return np.sin(v)
            return np.asarray(float(v))

        @jax.jit
        def f(x):
            return {call}

        f(1.0)
    """)


def test_loop_bodies_around_static_closures() -> None:
    check("""
        @partial(jax.jit, static_argnums=1)
        def f(x, n):
            def body(carry, row):
                for i in range(n):
                    carry = carry + row[i]
                if carry > 0:  # JIT101
                    pass
                return carry, row
            total, rows = lax.scan(body, 0.0, x)
            return total if total > 0 else rows  # JIT101
    """)


def test_custom_rules() -> None:
    check("""
        @jax.custom_vjp
        def clip(x):
            return x

        def forward(x):
            if x.ndim == 0:
                return clip(x), x
            return clip(x), x

        def backward(x, g):
            return (g if g > 0 else -g,)  # JIT101

        clip.defvjp(forward, backward)

        @jax.jit
        def f(x):
            return jax.grad(clip)(x)
    """)


def test_compile_time_evaluation() -> None:
    check("""
        @jax.jit
        def f(x):
            with jax.ensure_compile_time_eval():
                limit = jnp.array(2)
                if limit > 1:
                    x = x + 1
                if x > 0:  # JIT101
                    x = x + 2
            return x
    """)


def test_python_loop_around_a_jitted_body() -> None:
    check("""
        @jax.jit
        def body(i):
            return i + 1

        def count(n):
            i = 0
            while i < n:
                i = body(i)
            return float(i)
    """)


def test_equinox_filters() -> None:
    check("""
        import equinox as eqx

        @eqx.filter_jit
        def f(x, n, flag=True):
            for _ in range(n):
                x = x + 1
            if flag:
                x = x * 2
            return x if x > 0 else -x  # JIT101

        f(jnp.ones(()), 3)

        @eqx.filter_grad
        def loss(p):
            return p if p > 0 else -p

        loss(jnp.ones(()))
    """)


def test_parameters_of_functions_that_are_not_known() -> None:
    check("""
        def compiled(kernel, x):
            by_name = jax.jit(kernel, static_argnames="kind")
            by_number = jax.jit(kernel, static_argnums=-1)
            return by_name(x, "rbf") + by_number(x, "rbf")

        def mapped(kernel, x):
            return jax.vmap(kernel)(x, "rbf")  # JIT308
    """)


def test_what_opaque_functions_give_outside_jit() -> None:
    check("""
        def train(loss, params):
            value, gradient = jax.value_and_grad(loss)(params)
            out = jax.vmap(loss)(params)
            if value > 0 and out.sum() > 0:
                return float(value)
            return gradient

        def unmapped(function, x):
            @jax.jit
            def run(y):
                out = jax.vmap(function, out_axes=None)(y)
                return y if out > 0 else -y
            return run(x)
    """)


def test_what_haiku_transforms_is_traced_without_a_visible_call() -> None:
    check("""
        import haiku as hk

        class Trimmed(hk.Module):
            def __call__(self, x):
                return x[:, jnp.flatnonzero(x.any(axis=0))]  # JIT109

        def network(x, train=False):
            if train:
                return x
            return Trimmed()(x)

        pure = hk.transform_with_state(network)
        apply = jax.jit(pure.apply)
        untraced = hk.transform(network)
    """)


def test_derivatives_that_are_wrapped_like_what_they_are_of() -> None:
    check("""
        def derivable(f, depth):
            @jax.custom_vjp
            def wrapped(x, y):
                return f(x, y)

            def forward(x, y):
                return wrapped(x, y), (x, y)

            def backward(residuals, cotangent):
                if cotangent > 0:  # JIT101
                    return residuals
                return residuals

            below = backward if depth == 0 else derivable(backward, depth - 1)
            wrapped.defvjp(forward, below)
            return wrapped

        product = derivable(lambda x, y: x * y, 2)

        @jax.jit
        def f(x):
            return product(x, x).sum()

        def g(depth):
            return jax.jit(derivable(lambda x, y: x + y, depth))(1.0, 2.0)
    """)


def test_what_a_factory_makes_of_one_thing_and_another_is_traced_for_each():
    check(
        """
        def compiled(method):
            @jax.jit
            def step(x):
                return method(x)

            return step

        def halved(x):
            if x.sum() > 1.0:  # JIT101
                x = x / 2
            return x

        def shifted(x):
            while x.sum() > 1.0:  # JIT102
                x = x - 1
            return x

        by_half, by_one = compiled(halved), compiled(shifted)
        """
    )


def test_a_minimiser_refuses_a_pair_before_it_traces() -> None:
    check("""
        from jax.scipy.optimize import minimize

        def with_gradient(x, data):
            value = jnp.sum((x - data) ** 2)
            if value > 1e9:
                print("far away")
            return value, 2 * (x - data)

        def alone(x, data):
            value = jnp.sum((x - data) ** 2)
            if value > 1e9:  # JIT101
                print("far away")
            return value

        def fit(x, data):
            minimize(with_gradient, x, args=(data,), method="BFGS")
            return minimize(alone, x, args=(data,), method="BFGS").x
    """)


def test_a_derivative_alone_hands_real_arrays_to_the_rules_of_a_function() -> None:
    check("""
        class Elastic:
            def __init__(self):
                self.fields = {}

            def set_params(self, params):
                stiffness, density = params
                self.stiffness = stiffness  # JIT204
                self.fields["density"] = density  # JIT202

            def residual(self, solution):
                return solution**2 - self.stiffness

        def implicit_vjp(problem, solution, params, cotangent):
            def constraint(dofs, params):
                problem.set_params(params)
                return problem.residual(dofs)

            def at_solution(params):
                return constraint(solution, params)

            _, pull = jax.vjp(at_solution, params)
            return pull(cotangent)[0]

        def solver_of(problem):
            @jax.custom_vjp
            def solve(params):
                return params[0] * 2

            def forward(params):
                if params[0].sum() > 0:
                    return solve(params), params
                return solve(params), params

            def backward(params, cotangent):
                if cotangent.sum() == 0.0:
                    return (jax.tree.map(jnp.zeros_like, params),)
                return (implicit_vjp(problem, jnp.ones(3), params, cotangent),)

            solve.defvjp(forward, backward)
            return solve

        def main():
            solve = solver_of(Elastic())
            return jax.grad(lambda params: solve(params).sum())((jnp.ones(3), jnp.ones(3)))

        main()
    """)
