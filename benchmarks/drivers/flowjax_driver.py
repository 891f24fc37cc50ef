"""Normalizing flows with flowjax, as users write it."""

import equinox as eqx
import flowjax.bijections as bij
import flowjax.distributions as dist
import flowjax.flows as flows
import jax
import jax.numpy as jnp
import jax.random as jr
from flowjax.train import fit_to_data, fit_to_key_based_loss

KEY = jr.key(0)
X = jr.normal(KEY, (6, 2))
CONDITION = jr.normal(KEY, (6, 3))


def _use(flow, condition=None):
    density = eqx.filter_jit(lambda f, x: f.log_prob(x, condition))(flow, X)
    sample = eqx.filter_jit(lambda f, k: f.sample(k, (2,), condition=None if condition is None
                                                  else condition[0]))(flow, KEY)
    return density, sample


def masked_autoregressive():
    flow = flows.masked_autoregressive_flow(KEY, base_dist=dist.Normal(jnp.zeros(2)), flow_layers=2,
                                            nn_width=8)
    return _use(flow)


def coupling():
    flow = flows.coupling_flow(
        KEY, base_dist=dist.Normal(jnp.zeros(2)), flow_layers=2, nn_width=8, cond_dim=3,
        transformer=bij.RationalQuadraticSpline(knots=4, interval=3))
    return _use(flow, CONDITION)


def block_neural():
    flow = flows.block_neural_autoregressive_flow(KEY, base_dist=dist.Normal(jnp.zeros(2)),
                                                  nn_block_dim=2)
    return _use(flow)


def planar():
    flow = flows.planar_flow(KEY, base_dist=dist.Normal(jnp.zeros(2)), flow_layers=2,
                             negative_slope=0.1, width_size=4, depth=1)
    return _use(flow)


def triangular():
    return _use(flows.triangular_spline_flow(KEY, base_dist=dist.Normal(jnp.zeros(2)), flow_layers=2,
                                             knots=3))


def bijections():
    made = [
        bij.Affine(jnp.ones(2), jnp.full(2, 2.0)), bij.Exp((2,)), bij.SoftPlus((2,)), bij.Tanh((2,)),
        bij.LeakyTanh(3.0, (2,)), bij.Permute(jnp.array([1, 0])), bij.Flip((2,)),
        bij.TriangularAffine(jnp.zeros(2), jnp.eye(2)), bij.Chain([bij.Exp((2,)), bij.Affine(jnp.ones(2))]),
        bij.Invert(bij.Affine(jnp.ones(2))), bij.Sigmoid((2,)), bij.Scale(jnp.ones(2)),
        bij.Concatenate([bij.Exp((1,)), bij.Affine(jnp.ones(1))]), bij.Reshape(bij.Exp((2, 1)), (2,)),
        bij.Vmap(bij.Exp(()), axis_size=2), bij.Identity((2,)),
    ]

    @eqx.filter_jit
    def run(bijection, x):
        y, log_det = bijection.transform_and_log_det(x)
        return bijection.inverse_and_log_det(y), log_det

    return [run(each, jnp.array([0.3, 0.4])) for each in made]


def distributions():
    made = [
        dist.Normal(jnp.zeros(2)), dist.StandardNormal((2,)), dist.LogNormal(jnp.zeros(2)),
        dist.MultivariateNormal(jnp.zeros(2), jnp.eye(2)), dist.Uniform(jnp.zeros(2), jnp.ones(2)),
        dist.Gumbel(jnp.zeros(2)), dist.Cauchy(jnp.zeros(2)), dist.StudentT(jnp.full(2, 3.0)),
        dist.Laplace(jnp.zeros(2)), dist.Exponential(jnp.ones(2)), dist.Logistic(jnp.zeros(2)),
        dist.Gamma(jnp.full(2, 2.0), 1.0), dist.Beta(jnp.ones(2), jnp.ones(2)),
    ]

    @eqx.filter_jit
    def run(d, key):
        x, log_prob = d.sample_and_log_prob(key, (3,))
        return d.log_prob(x), log_prob

    return [run(each, KEY) for each in made]


def mixtures():
    weights = jnp.array([0.4, 0.6])
    mixture = dist.VmapMixture(eqx.filter_vmap(dist.Normal)(jnp.arange(2.0)), weights)
    return eqx.filter_jit(lambda d, k: d.log_prob(d.sample(k, (3,))))(mixture, KEY)


def training():
    flow = flows.masked_autoregressive_flow(KEY, base_dist=dist.Normal(jnp.zeros(2)), flow_layers=1,
                                            nn_width=4)
    return fit_to_data(KEY, flow, jr.normal(KEY, (40, 2)), max_epochs=2, batch_size=10,
                       show_progress=False)


def variational():
    from flowjax.train.losses import ElboLoss

    loss = ElboLoss(lambda x: dist.Normal(jnp.ones(2)).log_prob(x), num_samples=4)
    guide = flows.masked_autoregressive_flow(KEY, base_dist=dist.Normal(jnp.zeros(2)), flow_layers=1,
                                             nn_width=4, invert=False)
    return fit_to_key_based_loss(KEY, guide, loss_fn=loss, steps=2, show_progress=False)


def contrastive():
    from flowjax.train.losses import ContrastiveLoss

    prior = dist.Normal(jnp.zeros(2))
    flow = flows.coupling_flow(KEY, base_dist=prior, cond_dim=3, flow_layers=1, nn_width=4)
    return fit_to_data(KEY, flow, (jr.normal(KEY, (40, 2)), jr.normal(KEY, (40, 3))),
                       loss_fn=ContrastiveLoss(prior, 2), max_epochs=1, batch_size=10,
                       show_progress=False)


def roots():
    from flowjax import root_finding

    return jax.jit(lambda low: root_finding.bisection_search(
        lambda x: x**3 - 1.0, lower=low, upper=low + 3.0, atol=1e-3, max_steps=20))(
            jnp.array(0.0))
