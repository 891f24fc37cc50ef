"""Solvers of jaxopt, as users write it."""

import jax
import jax.numpy as jnp
import jaxopt
from jaxopt import perturbations

A = jnp.array([[2.0, 0.5], [0.5, 1.0], [0.1, 0.3]])
B = jnp.array([1.0, -1.0, 0.5])
X0 = jnp.array([0.3, -0.2])


def ridge(x, l2=0.1):
    return jnp.mean((A @ x - B) ** 2) + l2 * jnp.sum(x**2)


def residuals(x):
    return A @ x - B


def _solve(solver, *args, x0=X0):
    return jax.jit(lambda x: solver.run(x, *args).params)(x0)


def first_order():
    return [
        _solve(jaxopt.GradientDescent(ridge, maxiter=5)),
        _solve(jaxopt.NonlinearCG(ridge, maxiter=4)),
        _solve(jaxopt.PolyakSGD(ridge, max_stepsize=0.5, maxiter=4)),
        _solve(jaxopt.ArmijoSGD(ridge, maxiter=4)),
    ]


def quasi_newton():
    return [
        _solve(jaxopt.BFGS(ridge, maxiter=4)),
        _solve(jaxopt.LBFGS(ridge, maxiter=4, linesearch="backtracking")),
        _solve(jaxopt.LBFGS(ridge, maxiter=4, linesearch="hager-zhang")),
    ]


def bounded():
    solver = jaxopt.LBFGSB(ridge, maxiter=4)
    return jax.jit(lambda x: solver.run(x, bounds=(-jnp.ones(2), jnp.ones(2))).params)(X0)


def least_squares():
    return [
        _solve(jaxopt.GaussNewton(residuals, maxiter=4)),
        _solve(jaxopt.LevenbergMarquardt(residuals, maxiter=4)),
    ]


def proximal():
    lasso = jaxopt.ProximalGradient(ridge, prox=jaxopt.prox.prox_lasso, maxiter=4)
    return jax.jit(lambda x: lasso.run(x, hyperparams_prox=0.1).params)(X0)


def projected():
    solver = jaxopt.ProjectedGradient(ridge, projection=jaxopt.projection.projection_simplex, maxiter=4)
    return jax.jit(lambda x: solver.run(x).params)(jnp.array([0.5, 0.5]))


def projections():
    project = jaxopt.projection

    @jax.jit
    def run(x):
        return (
            project.projection_non_negative(x), project.projection_box(x, (0.0, 1.0)),
            project.projection_simplex(x), project.projection_l1_ball(x), project.projection_l2_ball(x),
            project.projection_l2_sphere(x), project.projection_hyperplane(x, (jnp.ones(2), 1.0)),
            project.projection_halfspace(x, (jnp.ones(2), 1.0)), project.projection_linf_ball(x),
        )

    return run(X0)


def proximal_operators():
    prox = jaxopt.prox

    @jax.jit
    def run(x):
        return (
            prox.prox_lasso(x, 0.1), prox.prox_elastic_net(x, (0.1, 0.2)), prox.prox_group_lasso(x, 0.1),
            prox.prox_ridge(x, 0.1), prox.prox_non_negative_lasso(x, 0.1),
            prox.prox_log_barrier(x, 0.1) if hasattr(prox, "prox_log_barrier") else x,
        )

    return run(X0)


def mirror_descent():
    solver = jaxopt.MirrorDescent(
        ridge, projection_grad=jaxopt.MirrorDescent.make_projection_grad(
            jax.nn.softmax, lambda x: jnp.log(x) + 1), stepsize=0.1, maxiter=4)
    return jax.jit(lambda x: solver.run(x).params)(jnp.array([0.5, 0.5]))


def fixed_points():
    @jax.jit
    def run(x):
        plain = jaxopt.FixedPointIteration(jnp.cos, maxiter=5).run(x).params
        mixed = jaxopt.AndersonAcceleration(jnp.cos, history_size=2, maxiter=5).run(x).params
        return plain, mixed

    return run(X0)


def roots():
    @jax.jit
    def run(low, high):
        bisection = jaxopt.Bisection(lambda x: x**3 - x - 1.0, 1.0, 2.0, maxiter=6, check_bracket=False)
        broyden = jaxopt.Broyden(lambda x: x**3 - 0.5, maxiter=4)
        return bisection.run().params, broyden.run(low).params

    return run(jnp.array([0.5]), jnp.array([2.0]))


def quadratic_programs():
    q, c = jnp.eye(2), jnp.ones(2)

    @jax.jit
    def run(q, c):
        equality = jaxopt.EqualityConstrainedQP().run(
            params_obj=(q, c), params_eq=(jnp.ones((1, 2)), jnp.ones(1))).params.primal
        general = jaxopt.OSQP(maxiter=5).run(
            params_obj=(q, c), params_ineq=(jnp.eye(2), jnp.ones(2))).params.primal
        boxed = jaxopt.BoxOSQP(maxiter=5).run(
            params_obj=(q, c), params_eq=jnp.eye(2), params_ineq=(-c, c)).params.primal
        return equality, general, boxed

    return run(q, c)


def coordinate_descent():
    solver = jaxopt.BlockCoordinateDescent(
        jaxopt.objective.least_squares, jaxopt.prox.prox_lasso, maxiter=3)
    return jax.jit(lambda x: solver.run(x, 0.1, (A, B)).params)(X0)


def implicit_gradients():
    solver = jaxopt.GradientDescent(ridge, maxiter=10, implicit_diff=True)
    return jax.jit(jax.grad(lambda l2: solver.run(X0, l2).params.sum()))(0.1)


def losses():
    loss = jaxopt.loss

    @jax.jit
    def run(x, y):
        return (
            loss.huber_loss(x[0], y[0]), loss.binary_logistic_loss(1, x[0]),
            loss.multiclass_logistic_loss(1, x), loss.binary_hinge_loss(1, x[0]),
            loss.multiclass_hinge_loss(1, x), loss.multiclass_sparsemax_loss(1, x),
            jaxopt.objective.logreg(x, (A, jnp.ones(3))) if hasattr(jaxopt.objective, "logreg") else x,
        )

    return run(X0, X0 + 1)


def perturbed():
    argmax = lambda x, axis=-1: jax.nn.one_hot(jnp.argmax(x, axis), x.shape[-1])
    made = perturbations.make_perturbed_argmax(argmax, num_samples=4, sigma=0.1)
    return jax.jit(made)(X0, jax.random.key(0))


def isotonic():
    return jax.jit(jaxopt.isotonic.isotonic_l2_pav)(jnp.array([1.0, 3.0, 2.0]))


def linear_systems():
    m = jnp.array([[2.0, 0.3], [0.3, 1.0]])

    @jax.jit
    def run(b):
        matvec = lambda v: m @ v
        solve = jaxopt.linear_solve
        return (solve.solve_cg(matvec, b), solve.solve_normal_cg(matvec, b), solve.solve_bicgstab(matvec, b),
                solve.solve_gmres(matvec, b), solve.solve_lu(matvec, b), solve.solve_cholesky(matvec, b),
                jaxopt.IterativeRefinement(maxiter=2).run(b, m, b).params)

    return run(X0)
