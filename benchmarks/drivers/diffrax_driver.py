"""Differential equations with diffrax, as users write them."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr

Y0 = jnp.array([1.0, 0.5])
KEY = jr.PRNGKey(0)


def field(t, y, args):
    return jnp.stack([y[1], -args * y[0]]) + 0.1 * jnp.sin(t)


def solve_with(solver, controller=None, terms=None, **options):
    @jax.jit
    def run(y0, args):
        solution = dfx.diffeqsolve(
            terms if terms is not None else dfx.ODETerm(field), solver, 0.0, 1.0, 0.1, y0, args,
            stepsize_controller=controller or dfx.ConstantStepSize(), throw=False, max_steps=64,
            **options,
        )
        return solution.ys, solution.stats

    return run(Y0, 1.0)


def explicit():
    for solver in (dfx.Euler(), dfx.Heun(), dfx.Midpoint(), dfx.Ralston(), dfx.Bosh3(), dfx.Tsit5(),
                   dfx.Dopri5(), dfx.Dopri8(), dfx.LeapfrogMidpoint(), dfx.ReversibleHeun()):
        solve_with(solver)


def adaptive():
    controller = dfx.PIDController(rtol=1e-4, atol=1e-4, pcoeff=0.1, icoeff=0.3, dtmin=1e-5)
    solve_with(dfx.Tsit5(), controller)
    solve_with(dfx.Heun(), controller, saveat=dfx.SaveAt(ts=jnp.linspace(0.0, 1.0, 5)))
    solve_with(dfx.Dopri5(), controller, saveat=dfx.SaveAt(steps=True))
    solve_with(dfx.Dopri8(), controller, saveat=dfx.SaveAt(dense=True))
    clipped = dfx.ClipStepSizeController(controller, step_ts=jnp.array([0.5]), jump_ts=jnp.array([0.7]))
    solve_with(dfx.Tsit5(), clipped, saveat=dfx.SaveAt(t0=True, t1=True))


def implicit():
    controller = dfx.PIDController(rtol=1e-3, atol=1e-3)
    for solver in (dfx.Kvaerno3(), dfx.Kvaerno5(), dfx.ImplicitEuler()):
        solve_with(solver, controller)


def split():
    terms = dfx.MultiTerm(dfx.ODETerm(field), dfx.ODETerm(lambda t, y, args: -y))
    for solver in (dfx.KenCarp3(), dfx.Sil3()):
        solve_with(solver, dfx.PIDController(rtol=1e-3, atol=1e-3), terms)


def symplectic():
    terms = (dfx.ODETerm(lambda t, y, args: y), dfx.ODETerm(lambda t, y, args: -args * y))

    @jax.jit
    def run(y0, args):
        return dfx.diffeqsolve(
            terms, dfx.SemiImplicitEuler(), 0.0, 1.0, 0.1, (y0, y0), args
        ).ys

    return run(Y0, 1.0)


def gradients():
    for adjoint in (dfx.RecursiveCheckpointAdjoint(), dfx.DirectAdjoint(), dfx.BacksolveAdjoint(),
                    dfx.ForwardMode()):

        @jax.jit
        def run(y0, args):
            def loss(y0, args):
                return dfx.diffeqsolve(
                    dfx.ODETerm(field), dfx.Tsit5(), 0.0, 1.0, 0.1, y0, args,
                    stepsize_controller=dfx.PIDController(rtol=1e-3, atol=1e-3), adjoint=adjoint,
                    max_steps=32, throw=False,
                ).ys.sum()

            if isinstance(adjoint, dfx.ForwardMode):
                return jax.jacfwd(loss)(y0, args)
            return jax.grad(loss)(y0, args)

        run(Y0, 1.0)


def stochastic():
    for solver in (dfx.Euler(), dfx.EulerHeun(), dfx.ItoMilstein(), dfx.StratonovichMilstein(),
                   dfx.Heun(), dfx.SPaRK(), dfx.SlowRK(), dfx.GeneralShARK(), dfx.SRA1(), dfx.ShARK(),
                   dfx.SEA(), dfx.HalfSolver(dfx.Euler())):

        @jax.jit
        def run(y0, key):
            area = dfx.SpaceTimeLevyArea
            brownian = dfx.VirtualBrownianTree(0.0, 1.0, 1e-2, (2,), key, levy_area=area)
            terms = dfx.MultiTerm(
                dfx.ODETerm(lambda t, y, args: -y),
                dfx.ControlTerm(lambda t, y, args: jnp.diag(jnp.ones(2)), brownian),
            )
            return dfx.diffeqsolve(terms, solver, 0.0, 1.0, 0.25, y0).ys

        run(Y0, KEY)


def stochastic_with_parameters():
    for solver in (dfx.EulerHeun(), dfx.ItoMilstein(), dfx.StratonovichMilstein(), dfx.SPaRK(),
                   dfx.HalfSolver(dfx.Euler())):

        @jax.jit
        def run(y0, key, args):
            area = dfx.SpaceTimeLevyArea
            brownian = dfx.VirtualBrownianTree(0.0, 1.0, 1e-2, (2,), key, levy_area=area)
            terms = dfx.MultiTerm(
                dfx.ODETerm(lambda t, y, args: -args * y),
                dfx.ControlTerm(lambda t, y, args: jnp.diag(args * jnp.ones(2)), brownian),
            )
            return dfx.diffeqsolve(terms, solver, 0.0, 1.0, 0.25, y0, args).ys

        run(Y0, KEY, 1.0)


def resumed():
    state = dfx.SaveAt(t1=True, solver_state=True, controller_state=True, made_jump=True)
    adaptive = dfx.PIDController(rtol=1e-3, atol=1e-3)
    for solver, controller in (
        (dfx.Euler(), dfx.ConstantStepSize()), (dfx.LeapfrogMidpoint(), dfx.ConstantStepSize()),
        (dfx.ImplicitEuler(), adaptive), (dfx.ReversibleHeun(), adaptive), (dfx.Tsit5(), adaptive),
    ):

        @jax.jit
        def run(y0, args):
            term = dfx.ODETerm(field)
            first = dfx.diffeqsolve(
                term, solver, 0.0, 0.5, 0.1, y0, args, saveat=state, stepsize_controller=controller
            )
            return dfx.diffeqsolve(
                term, solver, 0.5, 1.0, 0.1, first.ys[-1], args, solver_state=first.solver_state,
                controller_state=first.controller_state, made_jump=first.made_jump,
                stepsize_controller=controller,
            ).ys

        run(Y0, 1.0)


def unsafe_paths():
    @jax.jit
    def run(y0, key):
        brownian = dfx.UnsafeBrownianPath((2,), key)
        terms = dfx.MultiTerm(
            dfx.ODETerm(field), dfx.ControlTerm(lambda t, y, args: jnp.eye(2), brownian)
        )
        return dfx.diffeqsolve(
            terms, dfx.Euler(), 0.0, 1.0, 0.25, y0, 1.0, adjoint=dfx.DirectAdjoint()
        ).ys

    return run(Y0, KEY)


def langevin():
    @jax.jit
    def run(x0, key):
        brownian = dfx.VirtualBrownianTree(
            0.0, 1.0, 1e-2, (2,), key, levy_area=dfx.SpaceTimeTimeLevyArea
        )
        drift = dfx.UnderdampedLangevinDriftTerm(1.0, 1.0, lambda x, args: 2 * x)
        diffusion = dfx.UnderdampedLangevinDiffusionTerm(1.0, 1.0, brownian)
        terms = dfx.MultiTerm(drift, diffusion)
        return [dfx.diffeqsolve(terms, solver, 0.0, 1.0, 0.1, (x0, x0)).ys
                for solver in (dfx.ALIGN(0.1), dfx.ShOULD(0.1), dfx.QUICSORT(0.1))]

    return run(Y0, KEY)


def langevin_with_parameters():
    @jax.jit
    def run(x0, key, args):
        brownian = dfx.VirtualBrownianTree(
            0.0, 1.0, 1e-2, (2,), key, levy_area=dfx.SpaceTimeTimeLevyArea
        )
        drift = dfx.UnderdampedLangevinDriftTerm(1.0, 1.0, lambda x, args: args * x)
        diffusion = dfx.UnderdampedLangevinDiffusionTerm(1.0, 1.0, brownian)
        terms = dfx.MultiTerm(drift, diffusion)
        return [dfx.diffeqsolve(terms, solver, 0.0, 1.0, 0.1, (x0, x0), args).ys
                for solver in (dfx.ALIGN(0.1), dfx.ShOULD(0.1), dfx.QUICSORT(0.1))]

    return run(Y0, KEY, 2.0)


def interpolation():
    @jax.jit
    def run(ts, ys):
        linear = dfx.LinearInterpolation(ts, ys)
        coefficients = dfx.backward_hermite_coefficients(ts, ys)
        cubic = dfx.CubicInterpolation(ts, coefficients)
        filled = dfx.linear_interpolation(ts, ys)
        rectilinear = dfx.rectilinear_interpolation(ts, ys)
        return (linear.evaluate(0.3), linear.evaluate(0.1, 0.4), linear.derivative(0.2),
                cubic.evaluate(0.3), cubic.derivative(0.3), filled, rectilinear)

    return run(jnp.linspace(0.0, 1.0, 5), jnp.ones((5, 2)))


def controlled():
    @jax.jit
    def run(ts, ys, y0):
        control = dfx.CubicInterpolation(ts, dfx.backward_hermite_coefficients(ts, ys))
        term = dfx.ControlTerm(lambda t, y, args: jnp.ones((2, 2)) * y[:, None], control)
        wrapped = term.to_ode()
        return (dfx.diffeqsolve(term, dfx.Heun(), 0.0, 1.0, 0.25, y0).ys,
                dfx.diffeqsolve(wrapped, dfx.Tsit5(), 0.0, 1.0, 0.25, y0).ys)

    return run(jnp.linspace(0.0, 1.0, 5), jnp.ones((5, 2)), Y0)


def events():
    def below(t, y, args, **kwargs):
        return y[0] - 0.5

    import optimistix as optx

    event = dfx.Event(below, optx.Newton(1e-3, 1e-3))
    solve_with(dfx.Tsit5(), dfx.PIDController(rtol=1e-3, atol=1e-3), event=event)
    solve_with(dfx.ImplicitEuler(), dfx.PIDController(rtol=1e-3, atol=1e-3),
               event=dfx.Event(dfx.steady_state_event()))


def dense_solutions():
    @jax.jit
    def run(y0, t):
        solution = dfx.diffeqsolve(
            dfx.ODETerm(field), dfx.Tsit5(), 0.0, 1.0, 0.1, y0, 1.0,
            saveat=dfx.SaveAt(dense=True), max_steps=32,
        )
        return solution.evaluate(t), solution.evaluate(0.0, t), solution.derivative(t)

    return run(Y0, 0.4)


def saved_functions():
    @jax.jit
    def run(y0):
        save = dfx.SaveAt(subs=[
            dfx.SubSaveAt(t1=True, fn=lambda t, y, args: y.sum()),
            dfx.SubSaveAt(ts=jnp.array([0.2, 0.8])),
        ])
        solution = dfx.diffeqsolve(dfx.ODETerm(field), dfx.Dopri5(), 0.0, 1.0, 0.1, y0, 1.0, saveat=save,
                                   progress_meter=dfx.NoProgressMeter())
        return solution.ys

    return run(Y0)


def by_hand():
    solver, term = dfx.Tsit5(), dfx.ODETerm(field)

    @jax.jit
    def run(y0):
        state = solver.init(term, 0.0, 0.1, y0, 1.0)

        def step(carry, t):
            y, state = carry
            y, error, dense, state, _ = solver.step(term, t, t + 0.1, y, 1.0, state, made_jump=False)
            return (y, state), error

        return jax.lax.scan(step, (y0, state), jnp.linspace(0.0, 0.9, 10))

    return run(Y0)
