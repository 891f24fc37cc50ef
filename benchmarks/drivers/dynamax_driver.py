"""State space models with dynamax, as users write it."""

import jax
import jax.numpy as jnp
import jax.random as jr
import optax
from dynamax import hidden_markov_model as hmm
from dynamax import linear_gaussian_ssm as lgssm
from dynamax import nonlinear_gaussian_ssm as nlgssm

KEY = jr.key(0)
STEPS = 8


def _markov(model, emissions, **inputs):
    params, props = model.initialize(KEY)
    jax.jit(lambda p, e: model.marginal_log_prob(p, e, **inputs))(params, emissions)
    jax.jit(lambda p, e: model.smoother(p, e, **inputs))(params, emissions)
    jax.jit(lambda p, e: model.most_likely_states(p, e, **inputs))(params, emissions)
    model.fit_em(params, props, emissions, num_iters=2, verbose=False, **inputs)
    if not isinstance(model, hmm.LinearAutoregressiveHMM):
        jax.jit(lambda p, k: model.sample(p, k, STEPS, **inputs))(params, KEY)
    return model.fit_sgd(params, props, emissions, optimizer=optax.sgd(1e-2), num_epochs=2, **inputs)


def gaussian_emissions():
    return _markov(hmm.GaussianHMM(2, 2), jr.normal(KEY, (STEPS, 2)))


def other_gaussian_emissions():
    data = jr.normal(KEY, (STEPS, 2))
    return [_markov(model(2, 2), data) for model in
            (hmm.DiagonalGaussianHMM, hmm.SphericalGaussianHMM, hmm.SharedCovarianceGaussianHMM)]


def low_rank_emissions():
    return _markov(hmm.LowRankGaussianHMM(2, 2, 1), jr.normal(KEY, (STEPS, 2)))


def discrete_emissions():
    ones = jnp.ones((STEPS, 2))
    return [
        _markov(hmm.CategoricalHMM(2, 1, 3), jnp.ones((STEPS, 1), dtype=int)),
        _markov(hmm.BernoulliHMM(2, 2), ones),
        _markov(hmm.PoissonHMM(2, 2), ones),
        _markov(hmm.MultinomialHMM(2, 1, 3, 4), jnp.ones((STEPS, 1, 3))),
    ]


def gamma_emissions():
    return _markov(hmm.GammaHMM(2), jnp.abs(jr.normal(KEY, (STEPS,))) + 0.1)


def mixtures():
    return [_markov(model(2, 2, 2), jr.normal(KEY, (STEPS, 2))) for model in
            (hmm.GaussianMixtureHMM, hmm.DiagonalGaussianMixtureHMM)]


def autoregressive():
    model = hmm.LinearAutoregressiveHMM(2, 2, num_lags=1)
    emissions = jr.normal(KEY, (STEPS, 2))
    return _markov(model, emissions, inputs=model.compute_inputs(emissions))


def regressions():
    inputs = jr.normal(KEY, (STEPS, 3))
    return [
        _markov(hmm.LinearRegressionHMM(2, 3, 2), jr.normal(KEY, (STEPS, 2)), inputs=inputs),
        _markov(hmm.LogisticRegressionHMM(2, 3), jnp.ones(STEPS), inputs=inputs),
        _markov(hmm.CategoricalRegressionHMM(2, 3, 3), jnp.ones(STEPS, dtype=int), inputs=inputs),
    ]


def inference_by_hand():
    initial, transition = jnp.array([0.4, 0.6]), jnp.array([[0.9, 0.1], [0.2, 0.8]])
    likelihoods = jr.normal(KEY, (STEPS, 2))

    @jax.jit
    def run(initial, transition, likelihoods, key):
        return (
            hmm.hmm_filter(initial, transition, likelihoods),
            hmm.hmm_backward_filter(transition, likelihoods),
            hmm.hmm_two_filter_smoother(initial, transition, likelihoods),
            hmm.hmm_smoother(initial, transition, likelihoods),
            hmm.hmm_fixed_lag_smoother(initial, transition, likelihoods, 2),
            hmm.hmm_posterior_mode(initial, transition, likelihoods),
            hmm.hmm_posterior_sample(key, initial, transition, likelihoods),
            hmm.parallel_hmm_filter(initial, transition, likelihoods),
            hmm.parallel_hmm_smoother(initial, transition, likelihoods),
        )

    return run(initial, transition, likelihoods, KEY)


def linear_gaussian():
    model = lgssm.LinearGaussianSSM(2, 3)
    params, props = model.initialize(KEY)
    emissions = jr.normal(KEY, (STEPS, 3))
    jax.jit(model.filter)(params, emissions)
    jax.jit(model.smoother)(params, emissions)
    jax.jit(lambda p, k: model.sample(p, k, STEPS))(params, KEY)
    jax.jit(lambda k, p, e: model.posterior_sample(k, p, e))(KEY, params, emissions)
    jax.jit(model.posterior_predictive)(params, emissions)
    model.fit_em(params, props, emissions, num_iters=2, verbose=False)
    return model.fit_sgd(params, props, emissions, num_epochs=2)


def conjugate_linear_gaussian():
    model = lgssm.LinearGaussianConjugateSSM(2, 3)
    params, props = model.initialize(KEY)
    return model.fit_blocked_gibbs(KEY, params, 2, jr.normal(KEY, (STEPS, 3)))


def parallel_linear_gaussian():
    model = lgssm.LinearGaussianSSM(2, 3)
    params, _ = model.initialize(KEY)
    emissions = jr.normal(KEY, (STEPS, 3))
    return (jax.jit(lgssm.parallel_inference.lgssm_filter)(params, emissions),
            jax.jit(lgssm.parallel_inference.lgssm_smoother)(params, emissions),
            jax.jit(lgssm.parallel_inference.lgssm_posterior_sample)(KEY, params, emissions))


def nonlinear_gaussian():
    params = nlgssm.ParamsNLGSSM(
        initial_mean=jnp.zeros(2), initial_covariance=jnp.eye(2),
        dynamics_function=lambda z: jnp.sin(z), dynamics_covariance=jnp.eye(2) * 0.1,
        emission_function=lambda z: jnp.cos(z)[:1], emission_covariance=jnp.eye(1) * 0.1)
    emissions = jr.normal(KEY, (STEPS, 1))
    model = nlgssm.NonlinearGaussianSSM(2, 1)
    return (
        jax.jit(lambda e: nlgssm.extended_kalman_filter(params, e))(emissions),
        jax.jit(lambda e: nlgssm.extended_kalman_smoother(params, e))(emissions),
        jax.jit(lambda e: nlgssm.extended_kalman_filter(params, e, num_iter=2))(emissions),
        jax.jit(lambda e: nlgssm.unscented_kalman_filter(params, e, nlgssm.UKFHyperParams()))(emissions),
        jax.jit(lambda e: nlgssm.unscented_kalman_smoother(params, e, nlgssm.UKFHyperParams()))(emissions),
        jax.jit(lambda k: model.sample(params, k, STEPS))(KEY),
    )
