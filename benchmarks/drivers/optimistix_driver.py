"""Root finding, fixed points and minimisation with optimistix, as users write them."""

import jax
import jax.numpy as jnp
import optax
import optimistix as optx

START = jnp.array([0.5, 0.4])


def residuals(y, args):
    return jnp.array([10.0 * (y[1] - y[0] ** 2), args - y[0]])


def rosenbrock(y, args):
    return (residuals(y, args) ** 2).sum()


def roots():
    for solver in (optx.Newton(1e-4, 1e-4), optx.Chord(1e-3, 1e-3),
                   optx.BestSoFarRootFinder(optx.Newton(1e-4, 1e-4))):

        @jax.jit
        def solve(args):
            return optx.root_find(residuals, solver, START, args, throw=False, max_steps=32).value

        solve(1.0)
        jax.jit(jax.grad(lambda args: solve(args).sum()))(1.0)


def bisection():
    @jax.jit
    def solve(args):
        def f(y, args):
            return y**3 - args

        return optx.root_find(
            f, optx.Bisection(1e-4, 1e-4), jnp.array(1.0), args,
            options={"lower": 0.0, "upper": 3.0}, throw=False,
        ).value

    return solve(2.0)


def fixed_points():
    @jax.jit
    def solve(args):
        def f(y, args):
            return jnp.cos(y) * args

        return [optx.fixed_point(f, solver, jnp.array(0.5), args, throw=False, max_steps=64).value
                for solver in (optx.FixedPointIteration(1e-4, 1e-4), optx.Newton(1e-4, 1e-4),
                               optx.BestSoFarFixedPoint(optx.FixedPointIteration(1e-3, 1e-3)))]

    return solve(1.0)


def minimisers():
    for solver in (
        optx.BFGS(1e-4, 1e-4), optx.DFP(1e-4, 1e-4), optx.LBFGS(1e-4, 1e-4), optx.GradientDescent(1e-3, 1e-4, 1e-4),
        optx.NonlinearCG(1e-4, 1e-4), optx.NonlinearCG(1e-4, 1e-4, method=optx.dai_yuan),
        optx.NelderMead(1e-3, 1e-3),
        optx.OptaxMinimiser(optax.adam(1e-2), 1e-4, 1e-4),
        optx.BestSoFarMinimiser(optx.BFGS(1e-4, 1e-4)),
    ):

        @jax.jit
        def solve(args):
            return optx.minimise(rosenbrock, solver, START, args, throw=False, max_steps=32).value

        solve(1.0)


def golden():
    @jax.jit
    def solve(args):
        return optx.minimise(
            lambda y, args: (y - args) ** 2, optx.GoldenSearch(1e-3, 1e-3), jnp.array(1.0), args,
            options={"lower": 0.0, "upper": 3.0}, throw=False,
        ).value

    return solve(2.0)


def conjugate_directions():
    for method in (optx.polak_ribiere, optx.fletcher_reeves, optx.hestenes_stiefel, optx.dai_yuan):

        @jax.jit
        def solve(args):
            solver = optx.NonlinearCG(1e-4, 1e-4, method=method)
            return optx.minimise(rosenbrock, solver, START, args, throw=False, max_steps=16).value

        solve(1.0)


def least_squares():
    for solver in (
        optx.LevenbergMarquardt(1e-4, 1e-4), optx.GaussNewton(1e-4, 1e-4), optx.Dogleg(1e-4, 1e-4),
        optx.IndirectLevenbergMarquardt(1e-4, 1e-4), optx.BFGS(1e-4, 1e-4),
        optx.BestSoFarLeastSquares(optx.LevenbergMarquardt(1e-4, 1e-4)),
    ):

        @jax.jit
        def solve(args):
            return optx.least_squares(
                residuals, solver, START, args, throw=False, max_steps=32
            ).value

        solve(1.0)
        jax.jit(jax.grad(lambda args: solve(args).sum()))(1.0)


def custom_combinations():
    class Mine(optx.AbstractBFGS):
        rtol: float
        atol: float
        norm: object = optx.max_norm
        use_inverse: bool = True
        descent: optx.AbstractDescent = optx.DoglegDescent()
        search: optx.AbstractSearch = optx.ClassicalTrustRegion()
        verbose: object = lambda **kwargs: None

    @jax.jit
    def solve(args):
        solver = optx.GaussNewton(1e-4, 1e-4)
        search = optx.BacktrackingArmijo()
        linear = optx.LinearTrustRegion()
        return optx.least_squares(residuals, solver, START, args, throw=False).value, search, linear

    jax.jit(lambda a: solve(a)[0])(1.0)


def compatibility():
    @jax.jit
    def solve(args):
        return optx.compat.minimize(
            lambda y: rosenbrock(y, args), START, method="bfgs", tol=1e-3
        ).x

    return solve(1.0)


def stepping():
    solver = optx.BFGS(1e-4, 1e-4)
    structure = jax.ShapeDtypeStruct((), jnp.float32)

    def f(y, args):
        return rosenbrock(y, args), None

    state = solver.init(f, START, 1.0, {}, structure, None, frozenset())

    @jax.jit
    def step(y, state):
        y, state, aux = solver.step(f, y, 1.0, {}, state, frozenset())
        done, result = solver.terminate(f, y, 1.0, {}, state, frozenset())
        return y, state, done

    import equinox as eqx

    dynamic, static = eqx.partition(state, eqx.is_array)

    @jax.jit
    def run(y, dynamic):
        y, state, done = step.__wrapped__(y, eqx.combine(dynamic, static))
        return y, done

    return run(START, dynamic)


def norms():
    @jax.jit
    def run(tree):
        return optx.max_norm(tree), optx.rms_norm(tree), optx.two_norm(tree)

    return run({"a": START, "b": START * 2})


def ensembles():
    @jax.jit
    @jax.vmap
    def solve(args):
        return optx.least_squares(
            residuals, optx.LevenbergMarquardt(1e-4, 1e-4), START, args, throw=False
        ).value

    return solve(jnp.linspace(0.5, 1.5, 3))
