"""Probabilistic programs with numpyro, as users write them."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jax import random
from numpyro import handlers
from numpyro.distributions import constraints, transforms
from numpyro.infer import (
    MCMC, NUTS, SA, SVI, Predictive, RenyiELBO, Trace_ELBO, TraceGraph_ELBO,
    TraceMeanField_ELBO, autoguide, init_to_median, init_to_uniform, log_likelihood, util,
)

KEY = random.PRNGKey(0)
X = jnp.linspace(-1.0, 1.0, 8)
Y = 2 * X + 0.5


def regression(x, y=None):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    bias = numpyro.sample("bias", dist.Normal(0.0, 1.0))
    noise = numpyro.sample("noise", dist.HalfNormal(1.0))
    with numpyro.plate("data", x.shape[0]):
        mean = numpyro.deterministic("mean", slope * x + bias)
        return numpyro.sample("obs", dist.Normal(mean, noise), obs=y)


def mixture(y):
    weights = numpyro.sample("weights", dist.Dirichlet(jnp.ones(2)))
    with numpyro.plate("components", 2):
        locs = numpyro.sample("locs", dist.Normal(0.0, 5.0))
    with numpyro.plate("data", y.shape[0]):
        numpyro.sample("obs", dist.MixtureSameFamily(dist.Categorical(weights), dist.Normal(locs, 1.0)), obs=y)


def samplers():
    for kernel in (NUTS(regression), SA(regression)):
        mcmc = MCMC(kernel, num_warmup=4, num_samples=4, progress_bar=False)
        mcmc.run(KEY, X, Y)
    return mcmc.get_samples()


def variational():
    for guide in (
        autoguide.AutoNormal(regression), autoguide.AutoDiagonalNormal(regression),
        autoguide.AutoMultivariateNormal(regression), autoguide.AutoLowRankMultivariateNormal(regression),
        autoguide.AutoDelta(regression), autoguide.AutoLaplaceApproximation(regression),
        autoguide.AutoNormal(regression, init_loc_fn=init_to_median),
    ):
        svi = SVI(regression, guide, numpyro.optim.Adam(1e-2), Trace_ELBO())
        result = svi.run(KEY, 3, X, Y, progress_bar=False)
        guide.sample_posterior(KEY, result.params, X, Y, sample_shape=(2,))


def objectives():
    guide = autoguide.AutoNormal(regression)
    for objective in (Trace_ELBO(2), TraceMeanField_ELBO(), RenyiELBO(0.5, 2), TraceGraph_ELBO()):
        svi = SVI(regression, guide, numpyro.optim.ClippedAdam(1e-2), objective)
        state = svi.init(KEY, X, Y)
        state, loss = jax.jit(svi.update)(state, X, Y)
        state, loss = jax.jit(svi.stable_update)(state, X, Y)
        jax.jit(svi.evaluate)(state, X, Y)
        svi.get_params(state)


def optimisers():
    for optimiser in (numpyro.optim.SGD(1e-2), numpyro.optim.Momentum(1e-2, 0.9),
                      numpyro.optim.RMSProp(1e-2), numpyro.optim.Adagrad(1e-2),
                      numpyro.optim.Adam(1e-2)):
        params = {"a": jnp.ones(3)}
        state = optimiser.init(params)

        @jax.jit
        def step(state):
            return optimiser.eval_and_update(lambda p: ((p["a"] ** 2).sum(), None), state)

        step(state)
        optimiser.get_params(state)


def prediction():
    posterior = {"slope": jnp.ones(3), "bias": jnp.zeros(3), "noise": jnp.ones(3)}
    predictive = Predictive(regression, posterior)
    predictive(KEY, X)
    log_likelihood(regression, posterior, X, Y)

    @jax.jit
    def density(values):
        value, trace = util.log_density(regression, (X, Y), {}, values)
        return value, util.potential_energy(regression, (X, Y), {}, values)

    return density({"slope": 1.0, "bias": 0.5, "noise": 1.0})


def effect_handlers():
    @jax.jit
    def run(key, x):
        trace = handlers.trace(handlers.seed(regression, key)).get_trace(x)
        model = handlers.substitute(handlers.seed(regression, key), data={"slope": x[0]})
        conditioned = handlers.condition(model, data={"bias": x[1]})
        blocked = handlers.block(conditioned, hide=["noise"])
        scaled = handlers.scale(handlers.mask(blocked, mask=x > 0), scale=0.5)
        done = handlers.do(handlers.seed(regression, key), data={"slope": x[0]})
        handlers.replay(handlers.seed(regression, key), trace)(x)
        lifted = handlers.lift(handlers.seed(regression, key), prior=dist.Normal(0.0, 1.0))
        return handlers.trace(scaled).get_trace(x)["obs"]["value"], done(x), lifted(x)

    run(KEY, X)


def score(make, *parameters, value):
    @jax.jit
    def run(key, value, *parameters):
        d = make(*parameters)
        out = [d.sample(key, (3,)), d.log_prob(value)]
        for name in ("mean", "variance"):
            try:
                out.append(getattr(d, name))
            except NotImplementedError:
                pass
        for name in ("entropy", "cdf"):
            try:
                out.append(getattr(d, name)() if name == "entropy" else d.cdf(value))
            except NotImplementedError:
                pass
        return out

    run(KEY, value, *parameters)

    def loss(parameters):
        return make(*parameters).log_prob(value).sum()

    jax.jit(jax.grad(loss))(parameters)


def continuous_distributions():
    a = jnp.array([0.5, 1.5])
    v = jnp.array([0.3, 0.6])
    for make in (
        dist.Normal, dist.Beta, dist.Gamma, dist.InverseGamma, dist.Cauchy, dist.Laplace, dist.Logistic,
        dist.LogNormal, dist.Gumbel, dist.Pareto, dist.Weibull, dist.Kumaraswamy, dist.AsymmetricLaplace,
        dist.SoftLaplace, dist.Gompertz, dist.BetaProportion,
    ):
        score(make, a, a + 0.4 if make is not dist.BetaProportion else a, value=v + 2.5
              if make is dist.Pareto else v)


def one_parameter_distributions():
    a = jnp.array([0.5, 0.7])
    for make in (dist.Exponential, dist.HalfNormal, dist.HalfCauchy, dist.Chi2, dist.StudentT):
        score(make, a, value=a)


def bounded_distributions():
    a = jnp.array([0.5, 0.7])
    score(lambda a: dist.TruncatedNormal(a, 1.0, low=-1.0, high=2.0), a, value=a)
    score(lambda a: dist.TruncatedCauchy(a, 1.0, low=-1.0), a, value=a)
    score(lambda a: dist.Uniform(-a, a + 1), a, value=a)
    score(lambda a: dist.VonMises(a, 2.0), a, value=a)
    score(lambda a: dist.Dirichlet(a), a, value=jnp.array([0.4, 0.6]))
    score(lambda a: dist.Normal(a, 1.0).to_event(1), a, value=a)
    score(lambda a: dist.TransformedDistribution(dist.Normal(a, 1.0), transforms.ExpTransform()), a, value=a)
    score(lambda a: dist.Normal(a, 1.0).mask(a > 0.6), a, value=a)
    score(lambda a: dist.Normal(a, 1.0).expand([3, 2]), a, value=a)
    score(lambda a: dist.FoldedDistribution(dist.Normal(a, 1.0)), a, value=a)
    score(lambda a: dist.LeftTruncatedDistribution(dist.Normal(a, 1.0), 0.1), a, value=a)


def discrete_distributions():
    p = jnp.array([0.3, 0.6])
    n = jnp.array([1, 0])
    for make in (
        lambda p: dist.Bernoulli(probs=p), lambda p: dist.Bernoulli(logits=p), dist.Poisson,
        lambda p: dist.Geometric(probs=p), lambda p: dist.Geometric(logits=p),
        lambda p: dist.Binomial(5, probs=p), lambda p: dist.Binomial(5, logits=p),
        lambda p: dist.BetaBinomial(p, p, 5), lambda p: dist.NegativeBinomial2(p, p),
        lambda p: dist.NegativeBinomialProbs(4.0, p), lambda p: dist.GammaPoisson(p, p),
        lambda p: dist.ZeroInflatedPoisson(p, p), lambda p: dist.ZeroInflatedDistribution(
            dist.Poisson(p), gate=p),
    ):
        score(make, p, value=n)
    score(lambda p: dist.Categorical(logits=p), p, value=jnp.array(1))
    score(lambda p: dist.Categorical(probs=p / p.sum()), p, value=jnp.array(1))
    score(lambda p: dist.OrderedLogistic(p.sum(), p), p, value=jnp.array(1))
    score(lambda p: dist.Multinomial(3, probs=p / p.sum()), p, value=jnp.array([1, 2]))
    score(lambda p: dist.DirichletMultinomial(p, 3), p, value=jnp.array([1, 2]))


def multivariate_distributions():
    loc = jnp.zeros(3)
    score(lambda loc: dist.MultivariateNormal(loc, jnp.eye(3)), loc, value=loc)
    score(lambda loc: dist.MultivariateNormal(loc, precision_matrix=jnp.eye(3)), loc, value=loc)
    score(lambda loc: dist.LowRankMultivariateNormal(loc, jnp.ones((3, 1)), jnp.ones(3)), loc, value=loc)
    score(lambda loc: dist.MultivariateStudentT(4.0, loc, jnp.eye(3)), loc, value=loc)
    score(lambda loc: dist.GaussianRandomWalk(1.0 + loc.sum(), 3), loc, value=loc)
    score(lambda loc: dist.LKJCholesky(3, 1.0 + loc.sum()), loc, value=jnp.eye(3))
    score(lambda loc: dist.CirculantNormal(loc, covariance_row=jnp.array([1.0, 0.1, 0.1])), loc, value=loc)


def divergences():
    @jax.jit
    def run(a):
        pairs = [
            (dist.Normal(a, 1.0), dist.Normal(0.0, 2.0)), (dist.Gamma(a, 1.0), dist.Gamma(a, 2.0)),
            (dist.Beta(a, 1.0), dist.Beta(a, 2.0)), (dist.Dirichlet(a), dist.Dirichlet(a * 2)),
            (dist.Normal(a, 1.0).to_event(1), dist.Normal(a, 2.0).to_event(1)),
            (dist.MultivariateNormal(a, jnp.eye(2)), dist.MultivariateNormal(a, 2 * jnp.eye(2))),
            (dist.Delta(a), dist.Normal(a, 2.0)), (dist.Weibull(a, 1.0), dist.Gamma(a, 2.0)),
            (dist.Kumaraswamy(a, 1.0), dist.Beta(a, 2.0)),
        ]
        return [dist.kl_divergence(p, q) for p, q in pairs]

    return run(jnp.array([0.5, 0.8]))


def bijections():
    x = jnp.array([0.2, -0.3, 0.4])
    for transform in (
        transforms.ExpTransform(), transforms.SigmoidTransform(), transforms.AffineTransform(1.0, 2.0),
        transforms.SoftplusTransform(), transforms.StickBreakingTransform(),
        transforms.OrderedTransform(), transforms.PermuteTransform(jnp.array([2, 0, 1])),
        transforms.LowerCholeskyTransform(), transforms.CorrCholeskyTransform(),
        transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(0.0, 2.0)]),
        transforms.IndependentTransform(transforms.ExpTransform(), 1), transforms.RealFastFourierTransform((3,)),
        transforms.ScaledUnitLowerCholeskyTransform(), transforms.ZeroSumTransform(1),
    ):
        @jax.jit
        def run(x):
            y = transform(x)
            return y, transform.inv(y), transform.log_abs_det_jacobian(x, y)

        run(x)

    @jax.jit
    def check(x):
        return [c(x) for c in (constraints.real, constraints.positive, constraints.unit_interval,
                               constraints.simplex, constraints.interval(-1.0, 1.0),
                               constraints.greater_than(0.0), constraints.ordered_vector)]

    return check(x)


def scanned_programs():
    from numpyro.contrib.control_flow import cond, scan

    def model(ys):
        drift = numpyro.sample("drift", dist.Normal(0.0, 1.0))

        def step(carry, y):
            z = numpyro.sample("z", dist.Normal(carry + drift, 1.0))
            numpyro.sample("y", dist.Normal(z, 1.0), obs=y)
            return z, z

        scan(step, 0.0, ys)
        cond(drift > 0, lambda _: None, lambda _: None, None)
        numpyro.factor("extra", -(drift**2))

    mcmc = MCMC(NUTS(model, init_strategy=init_to_uniform), num_warmup=2, num_samples=2, progress_bar=False)
    mcmc.run(KEY, Y)
    mixed = MCMC(NUTS(mixture), num_warmup=2, num_samples=2, progress_bar=False)
    mixed.run(KEY, Y)


def reparametrised():
    from numpyro.infer.reparam import LocScaleReparam, TransformReparam

    def model(y):
        scale = numpyro.sample("scale", dist.HalfNormal(1.0))
        with numpyro.plate("groups", 8):
            z = numpyro.sample("z", dist.Normal(0.0, scale))
            w = numpyro.sample("w", dist.TransformedDistribution(
                dist.Normal(0.0, 1.0), transforms.AffineTransform(0.0, 1.0)))
            numpyro.sample("y", dist.Normal(z + w, 1.0), obs=y)

    changed = handlers.reparam(model, config={"z": LocScaleReparam(0), "w": TransformReparam()})
    svi = SVI(changed, autoguide.AutoNormal(changed), numpyro.optim.Adam(1e-2), Trace_ELBO())
    return svi.run(KEY, 2, Y, progress_bar=False)
