"""What solvers, models and replacements of other libraries give, where it was made or is used."""

from __future__ import annotations

from tests.linting import check


def test_a_solution_made_on_the_host_holds_arrays_with_values() -> None:
    check("""
        import diffrax
        import jax
        import jax.numpy as jnp
        import numpy as np
        import optimistix as optx

        def decay(t, y, args):
            return -y

        def solved():
            return diffrax.diffeqsolve(
                diffrax.ODETerm(decay), diffrax.Euler(), 0.0, 1.0, 0.5, jnp.ones(2)
            )

        made = solved()
        root = optx.root_find(lambda y, _: y - 1.0, optx.Newton(1e-3, 1e-3), jnp.array(0.5))

        @jax.jit
        def moved(x):
            return x + np.asarray(made.ys).sum() + float(root.value)

        @jax.jit
        def inside(x):
            within = diffrax.diffeqsolve(
                diffrax.ODETerm(decay), diffrax.Euler(), 0.0, 1.0, 0.5, x
            )
            return np.asarray(within.ys)  # JIT106
    """)


def test_an_equation_is_passed_its_arguments_also_where_they_have_a_default() -> None:
    check("""
        import diffrax

        def field(t, y, args=None):
            if args is None:
                return y
            if y[0] > 0:  # JIT101
                return -args * y
            if t > 0:  # JIT101
                return y
            return y

        term = diffrax.ODETerm(field)
    """)


def test_rows_of_a_plate_may_be_the_data_itself() -> None:
    check("""
        import numpy as np
        import numpyro
        import numpyro.distributions as dist
        from numpyro.infer import NUTS

        def model(data):
            mu = numpyro.sample("mu", dist.Normal(0, 1))
            if mu > 0:  # JIT101
                mu = -mu
            with numpyro.plate("n", 10):
                batch = numpyro.subsample(data, event_dim=0)
                scale = float(np.std(batch))
                numpyro.sample("y", dist.Normal(mu, scale), obs=batch)

        kernel = NUTS(model)
    """)


def test_a_list_that_is_put_in_for_one_stays_a_list() -> None:
    check("""
        import equinox as eqx
        import jax

        class Layer(eqx.Module):
            w: jax.Array

            def __call__(self, x):
                if x > 0:  # JIT101
                    return x
                return self.w * x

        class Model(eqx.Module):
            layers: list

        @jax.jit
        def edited(x):
            model = eqx.tree_at(lambda m: m.layers, Model([Layer(x)]), [Layer(x)])
            if not isinstance(model.layers, list):
                return float(x)
            for layer in model.layers:
                x = layer(x)
            return x
    """)


def test_a_set_of_the_host_may_have_been_emptied() -> None:
    check("""
        import jax

        SEEN = {1}

        def clear():
            SEEN.clear()

        @jax.jit
        def step(x):
            if SEEN:
                return x
            return float(x)  # JIT105
    """)


def test_options_that_solvers_must_know() -> None:
    check("""
        import diffrax
        import jax
        import optimistix as optx

        def field(t, y, args):
            return -y

        @jax.jit
        def run(y, settings):
            term, solver, steps = diffrax.ODETerm(field), diffrax.Tsit5(), settings["steps"]
            found = diffrax.diffeqsolve(term, solver, 0.0, 1.0, 0.1, y, max_steps=steps)  # JIT108
            return found.ys

        @jax.jit
        def root(y, throw):
            solver = optx.Newton(1e-3, 1e-3)
            return optx.root_find(lambda y, args: y, solver, y, throw=throw).value  # JIT108
    """)


def test_what_a_partial_binds_by_name_no_solver_passes() -> None:
    check("""
        from functools import partial
        import jaxopt

        @partial(jax.jit, static_argnames=("model",))
        def loss(x, scale, model):
            if x.sum() > 0:  # JIT101
                x = -x
            if model == "squares":
                return jnp.sum((x * scale) ** 2)
            return jnp.sum(jnp.abs(x * scale))

        @partial(jax.jit, static_argnames=("model",))
        def solve(x, scale, model):
            objective = partial(loss, scale=scale, model=model)
            return jaxopt.LBFGS(fun=objective, maxiter=10).run(x).params

        @partial(jax.jit, static_argnames=("model",))
        def other(x, scale, model):
            if scale > 0:  # JIT101
                x = -x
            return jnp.sum(x * model)

        @partial(jax.jit, static_argnames=("model",))
        def solve_other(x, scale, model):
            objective = partial(other, model=model)
            return jaxopt.LBFGS(fun=objective, maxiter=10).run(x, scale).params
    """)
