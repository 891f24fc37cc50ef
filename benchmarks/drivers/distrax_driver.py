"""Distributions and bijectors of distrax, as users write them."""

import distrax
import jax
import jax.numpy as jnp

KEY = jax.random.PRNGKey(0)


def use(make, *parameters, value=None):
    """Sample, score and summarise a distribution that is made in the traced function."""

    @jax.jit
    def run(key, *parameters):
        dist = make(*parameters)
        sample, log_prob = dist.sample_and_log_prob(seed=key, sample_shape=(3,))
        out = [sample, log_prob, dist.log_prob(sample), dist.prob(sample)]
        for name in ("mean", "mode", "variance", "stddev", "median", "entropy"):
            try:
                out.append(getattr(dist, name)())
            except NotImplementedError:
                pass
        try:
            out.append(dist.cdf(sample))
            out.append(dist.log_survival_function(sample))
        except NotImplementedError:
            pass
        return out

    run(KEY, *parameters)

    def loss(parameters):
        return make(*parameters).log_prob(value).sum()

    if value is not None:
        jax.jit(jax.grad(loss))(parameters)


def continuous():
    x = jnp.array([0.3, 0.6])
    use(distrax.Normal, x, x + 1, value=x)
    use(distrax.LogStddevNormal, x, x, value=x)
    use(distrax.Uniform, x, x + 1, value=x)
    use(distrax.Beta, x, x + 1, value=x)
    use(distrax.Gumbel, x, x + 1, value=x)
    use(distrax.Laplace, x, x + 1, value=x)
    use(distrax.Logistic, x, x + 1, value=x)
    use(distrax.VonMises, x, x + 1, value=x)
    use(distrax.Dirichlet, x + 1)
    use(distrax.ClippedNormal, x, x + 1, -1.0, 2.0)
    use(distrax.ClippedLogistic, x, x + 1, -1.0, 2.0)


def discrete():
    x = jnp.array([0.3, 0.6])
    use(lambda p: distrax.Bernoulli(probs=p), x, value=jnp.array([0, 1]))
    use(lambda p: distrax.Bernoulli(logits=p), x, value=jnp.array([0, 1]))
    use(lambda p: distrax.Categorical(logits=p), x, value=jnp.array([0, 1]))
    use(lambda p: distrax.Categorical(probs=p / p.sum()), x)
    use(lambda p: distrax.OneHotCategorical(logits=p), x)
    use(lambda p: distrax.Multinomial(5, logits=p), x)
    use(lambda p: distrax.EpsilonGreedy(p, 0.1), x)
    use(lambda p: distrax.Greedy(p), x)
    use(lambda p: distrax.Softmax(p, 0.5), x)
    use(lambda p: distrax.Deterministic(p), x, value=x)
    use(lambda p: distrax.CategoricalUniform(low=-p[0], high=p[1], logits=p), x)


def multivariate():
    loc, diag = jnp.zeros(3), jnp.ones(3) * 0.5
    use(distrax.MultivariateNormalDiag, loc, diag, value=loc)
    use(distrax.MultivariateNormalTri, loc, jnp.eye(3), value=loc)
    use(distrax.MultivariateNormalFullCovariance, loc, jnp.eye(3), value=loc)
    use(lambda loc, u: distrax.MultivariateNormalDiagPlusLowRank(loc, jnp.ones(3), u),
        loc, jnp.ones((3, 1)), value=loc)
    use(lambda loc, s: distrax.MultivariateNormalFromBijector(loc, distrax.DiagLinear(s)), loc, diag)


def composed():
    x = jnp.array([0.3, 0.6, 0.9])
    use(lambda a: distrax.Independent(distrax.Normal(a, 1.0), 1), x, value=x)
    use(lambda a: distrax.MixtureSameFamily(
        distrax.Categorical(logits=a), distrax.Normal(a, jnp.ones(3))), x)
    use(lambda a: distrax.MixtureOfTwo(0.3, distrax.Normal(a, 1.0), distrax.Normal(-a, 1.0)), x)
    use(lambda a: distrax.Transformed(distrax.Normal(a, 1.0), distrax.Tanh()), x, value=x)
    use(lambda a: distrax.Transformed(
        distrax.MultivariateNormalDiag(a, jnp.ones(3)),
        distrax.Block(distrax.ScalarAffine(a, jnp.ones(3)), 1)), x, value=x)
    use(lambda a: distrax.Quantized(distrax.Normal(a, 2.0), low=-5.0, high=5.0), x)
    use(lambda a: distrax.straight_through_wrapper(distrax.OneHotCategorical)(logits=a), x)
    use(lambda a: distrax.as_distribution(distrax.Normal(a, 1.0)), x)


def joint():
    def make(a):
        return distrax.Joint({"u": distrax.Normal(a, 1.0), "v": distrax.Laplace(a, 1.0)})

    @jax.jit
    def run(key, a):
        dist = make(a)
        sample = dist.sample(seed=key)
        return sample, dist.log_prob(sample), dist.entropy(), dist.mean(), dist.mode()

    return run(KEY, jnp.ones(()))


def divergences():
    @jax.jit
    def run(a, b):
        pairs = [
            (distrax.Normal(a, 1.0), distrax.Normal(b, 2.0)),
            (distrax.Bernoulli(logits=a), distrax.Bernoulli(logits=b)),
            (distrax.Categorical(logits=a), distrax.Categorical(logits=b)),
            (distrax.MultivariateNormalDiag(a, b + 1), distrax.MultivariateNormalDiag(b, a + 1)),
            (distrax.Independent(distrax.Normal(a, 1.0), 1), distrax.Independent(distrax.Normal(b, 1.0), 1)),
            (distrax.Uniform(a, a + 1), distrax.Uniform(a - 1, a + 2)),
            (distrax.Laplace(a, 1.0), distrax.Laplace(b, 1.0)),
            (distrax.Gumbel(a, 1.0), distrax.Gumbel(b, 1.0)),
            (distrax.Gamma(a + 1, 1.0), distrax.Gamma(b + 1, 1.0)),
            (distrax.Beta(a + 1, 1.0), distrax.Beta(b + 1, 1.0)),
            (distrax.Dirichlet(a + 1), distrax.Dirichlet(b + 1)),
        ]
        return [p.kl_divergence(q) for p, q in pairs], [p.cross_entropy(q) for p, q in pairs]

    return run(jnp.ones(3) * 0.4, jnp.ones(3) * 0.6)


def bijectors():
    def through(make):
        @jax.jit
        def run(x):
            bijector = make(x)
            y, logdet = bijector.forward_and_log_det(x)
            back, inverse = bijector.inverse_and_log_det(y)
            return y, logdet, back, inverse, bijector.forward(x), bijector.inverse(y), \
                bijector.forward_log_det_jacobian(x), bijector.inverse_log_det_jacobian(y)

        run(jnp.array([0.2, 0.5, 0.7]))

    through(lambda x: distrax.Tanh())
    through(lambda x: distrax.Sigmoid())
    through(lambda x: distrax.ScalarAffine(0.5, scale=x + 1))
    through(lambda x: distrax.ScalarAffine(0.5, log_scale=x))
    through(lambda x: distrax.Block(distrax.GumbelCDF(), 1))
    through(lambda x: distrax.Chain([distrax.Tanh(), distrax.ScalarAffine(0.0, 2.0)]))
    through(lambda x: distrax.Inverse(distrax.Sigmoid()))
    through(lambda x: distrax.Lambda(jnp.exp))
    through(lambda x: distrax.DiagLinear(x + 1))
    through(lambda x: distrax.DiagPlusLowRankLinear(x + 1, jnp.ones((3, 1)), jnp.ones((3, 1))))
    through(lambda x: distrax.TriangularLinear(jnp.eye(3) + jnp.diag(x)))
    through(lambda x: distrax.UnconstrainedAffine(jnp.eye(3) + jnp.diag(x), x))
    through(lambda x: distrax.LowerUpperTriangularAffine(jnp.eye(3) + 0.1, x))
    through(lambda x: distrax.Shift(x))
    through(lambda x: distrax.RationalQuadraticSpline(jnp.zeros((3, 13)), 0.0, 1.0))
    through(lambda x: distrax.MaskedCoupling(
        jnp.array([True, False, True]), lambda v: v, lambda p: distrax.ScalarAffine(p, log_scale=p)))
    through(lambda x: distrax.SplitCoupling(
        1, 1, lambda v: jnp.sum(v) * jnp.ones(2), lambda p: distrax.ScalarAffine(p)))


def hidden_markov_model():
    @jax.jit
    def run(key, logits, loc):
        model = distrax.HMM(
            distrax.Categorical(logits=logits), distrax.Categorical(logits=jnp.stack([logits] * 2)),
            distrax.Normal(loc, 1.0),
        )
        states, observations = model.sample(seed=key, seq_len=5)
        return (model.forward(observations), model.backward(observations),
                model.forward_backward(observations), model.viterbi(observations), states)

    return run(KEY, jnp.zeros(2), jnp.array([0.0, 1.0]))


def importance():
    @jax.jit
    def run(x, key):
        behaviour, target = distrax.Categorical(logits=x), distrax.Categorical(logits=x * 2)
        actions = behaviour.sample(seed=key, sample_shape=(4,))
        return distrax.importance_sampling_ratios(target, behaviour, actions), \
            distrax.multiply_no_nan(x, x)

    return run(jnp.ones(3), KEY)


def mapped():
    @jax.jit
    def run(loc, keys):
        def one(loc, key):
            return distrax.Normal(loc, 1.0).sample(seed=key)

        dists = jax.vmap(lambda loc: distrax.Normal(loc, 1.0))(loc)
        return jax.vmap(one)(loc, keys), dists[0].mean(), dists.log_prob(loc), dists.batch_shape

    return run(jnp.ones(3), jax.random.split(KEY, 3))[:3]
