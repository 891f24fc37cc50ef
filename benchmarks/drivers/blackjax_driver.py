"""Sampling and inference with blackjax, as users write it."""

import blackjax
import jax
import jax.numpy as jnp

KEY = jax.random.key(0)
START = jnp.array([0.5, -0.5, 1.0])
MASS = jnp.ones(3)


def logdensity(x):
    return -0.5 * jnp.sum((x - 1.0) ** 2) - 0.1 * jnp.sum(x**4)


def _chain(kernel, steps=3):
    state = kernel.init(START)

    @jax.jit
    def one_step(state, key):
        state, info = kernel.step(key, state)
        return state, (state.position, info)

    return jax.lax.scan(one_step, state, jax.random.split(KEY, steps))


def hamiltonian():
    return [
        _chain(blackjax.hmc(logdensity, 0.1, MASS, 3)),
        _chain(blackjax.nuts(logdensity, 0.1, MASS)),
    ]


def dense_mass_matrix():
    return _chain(blackjax.nuts(logdensity, 0.1, jnp.eye(3) * 0.5))


def gradient_free():
    _chain(blackjax.rmh(logdensity, blackjax.mcmc.random_walk.normal(jnp.ones(3) * 0.1)))
    return _chain(blackjax.additive_step_random_walk.normal_random_walk(logdensity, jnp.ones(3)))


def langevin():
    return _chain(blackjax.mala(logdensity, 0.05)), _chain(blackjax.barker_proposal(logdensity, 0.1))


def ghmc():
    kernel = blackjax.ghmc(logdensity, 0.1, MASS, 0.5, 0.3)
    state = kernel.init(START, KEY)
    return jax.jit(kernel.step)(KEY, state)


def elliptical_slice():
    kernel = blackjax.elliptical_slice(lambda x: -jnp.sum(x**2), mean=jnp.zeros(3), cov=jnp.ones(3))
    state = kernel.init(START)
    return jax.jit(kernel.step)(KEY, state)


def microcanonical():
    kernel = blackjax.mclmc(logdensity, L=1.0, step_size=0.1)
    state = kernel.init(START, KEY)
    return jax.jit(kernel.step)(KEY, state)


def warm_up():
    warmup = blackjax.window_adaptation(blackjax.nuts, logdensity)
    (state, parameters), _ = warmup.run(KEY, START, num_steps=12)
    kernel = blackjax.nuts(logdensity, **parameters)
    return jax.jit(kernel.step)(KEY, state)


def pathfinder():
    state, _ = jax.jit(
        lambda key: blackjax.vi.pathfinder.approximate(key, logdensity, START, num_samples=8)
    )(KEY)
    return blackjax.vi.pathfinder.sample(KEY, state, 4)


def mean_field():
    import optax

    vi = blackjax.meanfield_vi(logdensity, optax.sgd(1e-2), 4)
    state = vi.init(START)
    state, info = jax.jit(vi.step)(KEY, state)
    return vi.sample(KEY, state, 3)


def stochastic_gradients():
    def loglikelihood(x, batch):
        return -jnp.sum((batch - x) ** 2)

    estimator = blackjax.sgmcmc.gradients.grad_estimator(lambda x: -jnp.sum(x**2), loglikelihood, 8)
    batch = jnp.ones((4, 3))
    sgld = blackjax.sgld(estimator)
    sghmc = blackjax.sghmc(estimator, num_integration_steps=2)
    position = jax.jit(sgld.step)(KEY, START, batch, 1e-3)
    return jax.jit(sghmc.step)(KEY, position, batch, 1e-3)


def tempered_smc():
    kernel = blackjax.adaptive_tempered_smc(
        lambda x: -jnp.sum(x**2),
        lambda x: -jnp.sum((x - 1) ** 2),
        blackjax.hmc.build_kernel(),
        blackjax.hmc.init,
        {"step_size": jnp.array([0.1]), "inverse_mass_matrix": jnp.ones((1, 3)),
         "num_integration_steps": jnp.array([2])},
        blackjax.smc.resampling.systematic,
        0.5,
        num_mcmc_steps=2,
    )
    state = kernel.init(jax.random.normal(KEY, (8, 3)))
    return jax.jit(kernel.step)(KEY, state)


def resampling():
    weights = jax.nn.softmax(jnp.arange(6.0))
    smc = blackjax.smc
    return [
        jax.jit(lambda k, w, f=f: f(k, w, 6))(KEY, weights)
        for f in (smc.resampling.systematic, smc.resampling.stratified, smc.resampling.multinomial,
                  smc.resampling.residual)
    ]


def diagnostics():
    chains = jax.random.normal(KEY, (2, 20, 3))
    return jax.jit(blackjax.diagnostics.effective_sample_size)(chains), jax.jit(
        blackjax.diagnostics.potential_scale_reduction
    )(chains)
