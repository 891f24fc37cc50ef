"""Losses of reinforcement learning with rlax, as users write them."""

import functools

import jax
import jax.numpy as jnp
import rlax

R, G, V = jnp.ones(5) * 0.3, jnp.ones(5) * 0.9, jnp.linspace(0.0, 1.0, 5)
Q = jnp.linspace(0.0, 1.0, 20).reshape(5, 4)
A = jnp.array([0, 1, 2, 3, 0])
KEY = jax.random.PRNGKey(0)


def returns():
    @jax.jit
    def run(r, g, v):
        return (
            rlax.lambda_returns(r, g, v, 0.9), rlax.n_step_bootstrapped_returns(r, g, v, 2),
            rlax.discounted_returns(r, g, v), 
            rlax.truncated_generalized_advantage_estimation(r, g, 0.9, jnp.append(v, 0.0)),
            rlax.general_off_policy_returns_from_q_and_v(Q[1:, 0], v, r, g, jnp.ones(4)),
        )

    return run(R, G, V)


def value_learning():
    @jax.jit
    def run(q, a, r, g, v):
        b = jax.vmap
        return (
            b(rlax.td_learning)(v, r, g, v), b(rlax.q_learning)(q, a, r, g, q),
            b(rlax.double_q_learning)(q, a, r, g, q, q), b(rlax.sarsa)(q, a, r, g, q, a),
            b(rlax.expected_sarsa)(q, a, r, g, q, jax.nn.softmax(q)),
            b(rlax.qv_learning)(q, a, r, g, v), b(rlax.qv_max)(v, r, g, q),
            b(functools.partial(rlax.persistent_q_learning, action_gap_scale=0.1))(q, a, r, g, q),
            rlax.td_lambda(v, r, g, v, 0.9), rlax.sarsa_lambda(q, a, r, g, q, a, 0.9),
            rlax.q_lambda(q, a, r, g, q, 0.9),
            rlax.retrace(q[:-1], q[1:], a[:-1], a[1:], r[1:], g[1:], jax.nn.softmax(q[1:]), jnp.ones(4),
                         0.9),
        )

    return run(Q, A, R, G, V)


def distributional():
    atoms = jnp.linspace(-1.0, 1.0, 6)
    logits = jnp.linspace(0.0, 1.0, 24).reshape(4, 6)
    quantiles = jnp.linspace(0.0, 1.0, 24).reshape(6, 4)

    @jax.jit
    def run(logits, quantiles, r, g):
        return (
            rlax.categorical_td_learning(atoms, logits[0], r, g, atoms, logits[1]),
            rlax.categorical_q_learning(atoms, logits, 1, r, g, atoms, logits),
            rlax.categorical_double_q_learning(atoms, logits, 1, r, g, atoms, logits, r * jnp.ones(4)),
            rlax.categorical_l2_project(atoms, jax.nn.softmax(logits[0]), atoms),
            rlax.quantile_q_learning(quantiles, atoms, 1, r, g, quantiles, quantiles, 1.0),
            rlax.quantile_expected_sarsa(quantiles, atoms, 1, r, g, quantiles, jnp.ones(4) / 4),
            rlax.quantile_regression_loss(quantiles[:, 0], atoms, quantiles[:, 1]),
        )

    return run(logits, quantiles, 0.4, 0.9)


def policy_gradients():
    @jax.jit
    def run(logits, a, adv, w):
        return (
            rlax.policy_gradient_loss(logits, a, adv, w), rlax.entropy_loss(logits, w),
            rlax.qpg_loss(logits, logits), rlax.rpg_loss(logits, logits), rlax.rm_loss(logits, logits),
            rlax.clipped_surrogate_pg_loss(w, adv, 0.2), rlax.dpg_loss(logits[0], logits[0], 1.0, True),
        )

    run(Q, A, R, V)
    return jax.jit(jax.grad(lambda q: run(q, A, R, V)[0]))(Q)


def vtrace():
    @jax.jit
    def run(v, r, g, rho):
        return (
            rlax.vtrace(v, v, r, g, rho, 0.9), rlax.vtrace_td_error_and_advantage(v, v, r, g, rho),
            rlax.leaky_vtrace(v, v, r, g, rho, 0.5), rlax.leaky_vtrace_td_error_and_advantage(
                v, v, r, g, rho, 0.5),
        )

    return run(V, R, G, V + 0.5)


def policies():
    @jax.jit
    def run(key, q, a):
        out = []
        for dist in (rlax.softmax(0.5), rlax.epsilon_greedy(0.1), rlax.greedy(),
                     rlax.clipped_entropy_softmax(1.0, 0.5), rlax.softmax()):
            out += [dist.sample(key, q), dist.probs(q), dist.logprob(a, q), dist.entropy(q)]
        normal = rlax.gaussian_diagonal()
        out += [normal.sample(key, q, q + 1), normal.logprob(q, q, q + 1), normal.entropy(q, q + 1)]
        return out, normal.prob(q, q, q + 1)

    run(KEY, Q[0], A[0])
    return jax.jit(lambda q, a: rlax.categorical_importance_sampling_ratios(q, q * 2, a))(Q, A)


def transforms_and_clipping():
    @jax.jit
    def run(x):
        pair = rlax.SIGNED_HYPERBOLIC_PAIR
        hot = rlax.twohot_pair(-2.0, 2.0, 9)
        return (
            rlax.signed_hyperbolic(x), rlax.signed_parabolic(x), rlax.power(x, 2.0),
            rlax.sigmoid(x), rlax.logit(rlax.sigmoid(x)), rlax.signed_logp1(x), rlax.signed_expm1(x),
            rlax.identity(x), rlax.expectile_loss(x, x + 1, 0.3),
            rlax.transform_to_2hot(x, -2.0, 2.0, 9), hot.apply_inv(hot.apply(x)), pair.apply(x),
            rlax.transform_from_2hot(rlax.transform_to_2hot(x, -2.0, 2.0, 9), -2.0, 2.0, 9),
            rlax.huber_loss(x), rlax.clip_gradient(x, -1.0, 1.0), rlax.l2_loss(x, x + 1),
            rlax.transformed_lambda_returns(pair, R, G, x, 0.9),
            rlax.transformed_n_step_returns(pair, R, G, x, 2), rlax.log_loss(rlax.sigmoid(x), x * 0),
        )

    run(V)
    return jax.jit(jax.grad(lambda x: rlax.clip_gradient(x, -1.0, 1.0).sum()))(V)


def transformed_learning():
    pair = rlax.SIGNED_HYPERBOLIC_PAIR

    @jax.jit
    def run(q, a, r, g):
        return (
            rlax.transformed_n_step_q_learning(q[:-1], a[:-1], q[1:], a[1:], r[1:], g[1:], 2,
                                               tx_pair=pair),
            rlax.transformed_q_lambda(q[:-1], a[:-1], r[1:], g[1:], q[1:], 0.9, tx_pair=pair),
            rlax.transformed_retrace(q[:-1], q[1:], a[:-1], a[1:], r[1:], g[1:],
                                     jax.nn.softmax(q[1:]), jnp.ones(4), 0.9, tx_pair=pair),
        )

    return run(Q, A, R, G)


def exploration_and_tools():
    @jax.jit
    def run(key, q, x):
        return (
            rlax.add_gaussian_noise(key, q[0], 0.1),
            rlax.add_ornstein_uhlenbeck_noise(key, q[0], q[0], 0.1, 0.1),
            rlax.add_dirichlet_noise(key, q, 0.3, 0.25), rlax.batched_index(q, A),
            rlax.one_hot(A, 4), rlax.lhs_broadcast(x, q), rlax.replace_masked(q, q * 2, x > 0),
            rlax.tree_select(x[0] > 0, q, q * 2), rlax.tree_split_key(key, {"a": q, "b": x}),
            rlax.tree_replace_masked({"a": q}, {"a": q * 2}, x > 0),
            rlax.knn_query(q, q, 2),
        )

    return run(KEY, Q, V)


def popart():
    init, update = rlax.popart(2, 0.1, 1e-6, 1e6)

    @jax.jit
    def run(targets, values):
        params = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}
        state = init()
        index = jnp.array([0, 1, 0, 1, 0])
        params, state = update(params, state, targets, index)
        return (params, rlax.normalize(state, values, index), rlax.unnormalize(state, values, index),
                rlax.conditional_update(params, params, True), rlax.periodic_update(params, params, 3, 2))

    run(R, V)
    ema_init, ema_update = rlax.create_ema(0.9)

    @jax.jit
    def average(state, x):
        moments, state = ema_update(x, state)
        return moments, state

    return average(ema_init(V), V)


def intrinsic_rewards():
    @jax.jit
    def run(frames, obs):
        return rlax.pixel_control_rewards(frames, 2), rlax.feature_control_rewards(obs)

    return run(jnp.ones((3, 4, 4, 1)), Q)


def maximum_a_posteriori():
    def project(v):
        return jnp.maximum(v, 1e-3)

    @jax.jit
    def run(values, temperature):
        constraint = rlax.LagrangePenalty(temperature, 0.1)
        first = rlax.mpo_compute_weights_and_temperature_loss(values, constraint, project)
        return first

    return run(Q, jnp.ones(()))
