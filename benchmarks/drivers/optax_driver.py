"""Training and losses with optax, as users write them."""

import functools

import jax
import jax.numpy as jnp
import optax

PARAMS = {"w": jnp.ones((4, 3)) * 0.3, "b": jnp.zeros((3,)) + 0.1}
X = jnp.linspace(-1.0, 1.0, 20).reshape(5, 4)
Y = jnp.array([0, 1, 2, 1, 0])


def logits_of(params, x):
    return jnp.tanh(x @ params["w"] + params["b"])


def loss_fn(params, x, labels):
    scores = logits_of(params, x)
    return optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean()


def fit(optimizer, needs_value=False):
    @jax.jit
    def step(params, state, x, y):
        value, grads = jax.value_and_grad(loss_fn)(params, x, y)
        if needs_value:
            updates, state = optimizer.update(
                grads, state, params, value=value, grad=grads,
                value_fn=lambda p: loss_fn(p, x, y),
            )
        else:
            updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    params, state = PARAMS, optimizer.init(PARAMS)
    for _ in range(2):
        params, state, value = step(params, state, X, Y)
    return value


def first_order():
    for optimizer in (
        optax.adabelief(1e-3), optax.adadelta(1e-3), optax.adafactor(1e-3), optax.adagrad(1e-3),
        optax.adam(1e-3), optax.adamw(1e-3, weight_decay=1e-4), optax.adamax(1e-3),
        optax.adamaxw(1e-3), optax.amsgrad(1e-3), optax.fromage(1e-3), optax.lamb(1e-3),
        optax.lars(1e-3), optax.lion(1e-3), optax.nadam(1e-3), optax.nadamw(1e-3),
    ):
        fit(optimizer)


def more_first_order():
    for optimizer in (
        optax.noisy_sgd(1e-3), optax.novograd(1e-3), optax.optimistic_gradient_descent(1e-3),
        optax.radam(1e-3), optax.rmsprop(1e-3, centered=True, momentum=0.9),
        optax.sgd(1e-2, momentum=0.9, nesterov=True), optax.sign_sgd(1e-3), optax.sm3(1e-3),
        optax.yogi(1e-3), optax.rprop(1e-3), optax.adan(1e-3), optax.noisy_sgd(1e-2),
        optax.optimistic_adam_v2(1e-3), optax.signum(1e-3),
    ):
        fit(optimizer)


def polyak():
    fit(optax.polyak_sgd(1.0), needs_value=True)


def linesearch():
    fit(optax.chain(optax.sgd(1.0), optax.scale_by_backtracking_linesearch(5)), needs_value=True)


def lbfgs():
    solver = optax.lbfgs()

    @jax.jit
    def run(params):
        def objective(p):
            return loss_fn(p, X, Y)

        value_and_grad = optax.value_and_grad_from_state(objective)

        def body(carry, _):
            p, state = carry
            value, grad = value_and_grad(p, state=state)
            updates, state = solver.update(
                grad, state, p, value=value, grad=grad, value_fn=objective
            )
            return (optax.apply_updates(p, updates), state), value

        return jax.lax.scan(body, (params, solver.init(params)), None, length=3)

    return run(PARAMS)


def gradient_transforms():
    chain = optax.chain(
        optax.clip(1.0), optax.clip_by_global_norm(1.0), optax.clip_by_block_rms(1.0),
        optax.adaptive_grad_clip(0.1), optax.centralize(), optax.add_decayed_weights(1e-4),
        optax.add_noise(0.01, 0.55, 0), optax.zero_nans(), optax.trace(0.9),
        optax.ema(0.99), optax.scale_by_trust_ratio(), optax.scale(-1e-3),
        optax.scale_by_param_block_norm(), optax.scale_by_param_block_rms(),
        optax.normalize_by_update_norm(), optax.keep_params_nonnegative(),
    )
    fit(chain)


def scheduled():
    schedules = [
        optax.cosine_decay_schedule(1e-3, 10), optax.exponential_decay(1e-3, 3, 0.9, staircase=True),
        optax.linear_schedule(1e-3, 1e-4, 5), optax.piecewise_constant_schedule(1e-3, {2: 0.1}),
        optax.warmup_cosine_decay_schedule(0.0, 1e-3, 2, 10),
        optax.warmup_exponential_decay_schedule(0.0, 1e-3, 2, 3, 0.9),
        optax.polynomial_schedule(1e-3, 1e-4, 2.0, 5), optax.cosine_onecycle_schedule(10, 1e-3),
        optax.linear_onecycle_schedule(10, 1e-3),
        optax.join_schedules([optax.constant_schedule(1e-3), optax.linear_schedule(1e-3, 0, 3)], [2]),
        optax.sgdr_schedule([{"init_value": 0.0, "peak_value": 1e-3, "decay_steps": 5,
                              "warmup_steps": 1}]),
        optax.piecewise_interpolate_schedule("cosine", 1e-3, {2: 0.5}),
    ]
    for schedule in schedules:
        fit(optax.sgd(schedule))
    fit(optax.inject_hyperparams(optax.adam)(learning_rate=schedules[0]))


def wrappers():
    base = optax.adam(1e-3)
    fit(optax.apply_if_finite(base, 3))
    fit(optax.flatten(base))
    fit(optax.masked(base, {"w": True, "b": False}))
    fit(optax.MultiSteps(base, 2).gradient_transformation())
    fit(optax.conditionally_mask(base, lambda step: step % 2 == 0))
    fit(optax.conditionally_transform(base, lambda step: step % 2 == 0))
    fit(optax.partition({"a": base, "z": optax.set_to_zero()}, {"w": "a", "b": "z"}))
    fit(optax.contrib.reduce_on_plateau(patience=1), needs_value=True)


def skip_large_updates():
    fit(optax.MultiSteps(
        optax.sgd(0.1), 2,
        should_skip_update_fn=functools.partial(optax.skip_large_updates, max_squared_norm=1.0),
    ).gradient_transformation())


def lookahead():
    optimizer = optax.lookahead(optax.sgd(0.1), sync_period=2, slow_step_size=0.5)
    params = optax.LookaheadParams.init_synced(PARAMS)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state):
        grads = jax.grad(lambda p: loss_fn(p, X, Y))(params.fast)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state

    return step(params, state)


def contributed():
    contrib = optax.contrib
    for optimizer in (
        contrib.cocob(), contrib.dadapt_adamw(), contrib.prodigy(), contrib.schedule_free_adamw(1e-3),
        contrib.ademamix(1e-3), contrib.simplified_ademamix(1e-3), contrib.muon(1e-3),
        contrib.dog(1e-3), contrib.acprop(1e-3), contrib.adopt(1e-3), 
        contrib.madgrad(1e-3), contrib.momo(),
    ):
        fit(optimizer, needs_value=True)


def sam():
    fit(optax.contrib.sam(optax.sgd(0.1), optax.sgd(0.05), sync_period=2))


def regression_losses():
    @jax.jit
    def losses(predictions, targets):
        return [
            optax.l2_loss(predictions, targets), optax.squared_error(predictions, targets),
            optax.huber_loss(predictions, targets), optax.log_cosh(predictions, targets),
            optax.cosine_similarity(predictions, targets),
            optax.cosine_distance(predictions, targets, epsilon=1e-6),
        ]

    return losses(X, X + 0.1)


def classification_losses():
    @jax.jit
    def losses(logits, labels):
        hot = jax.nn.one_hot(labels, 3)
        return [
            optax.losses.softmax_cross_entropy(logits, hot), optax.losses.sigmoid_binary_cross_entropy(logits, hot),
            optax.losses.hinge_loss(logits, 2 * hot - 1), optax.losses.sigmoid_focal_loss(logits, hot, alpha=0.3),
            optax.losses.poly_loss_cross_entropy(logits, hot), optax.losses.kl_divergence(logits, hot + 0.1),
            optax.losses.convex_kl_divergence(logits, hot + 0.1), optax.losses.multiclass_hinge_loss(logits, labels),
            optax.losses.multiclass_perceptron_loss(logits, labels), optax.losses.perceptron_loss(logits, 2 * hot - 1),
            optax.losses.multiclass_sparsemax_loss(logits, labels), optax.losses.sparsemax_loss(logits, hot),
            optax.losses.kl_divergence_with_log_targets(logits, logits), optax.losses.smooth_labels(hot, 0.1),
            optax.losses.ntxent(logits, labels), optax.losses.triplet_margin_loss(logits, logits + 1, logits - 1),
            optax.losses.generalized_kl_divergence(logits, hot + 0.1),
        ]

    return losses(logits_of(PARAMS, X), Y)


def ranking_and_sequences():
    @jax.jit
    def losses(scores, labels):
        return optax.losses.ranking_softmax_loss(scores, labels)

    losses(X, (X > 0).astype(float))

    @jax.jit
    def ctc(logits, labels):
        zeros, pads = jnp.zeros(logits.shape[:2]), jnp.zeros(labels.shape)
        return optax.ctc_loss(logits, zeros, labels, pads)

    return ctc(jnp.ones((2, 6, 5)), jnp.array([[1, 2, 3], [2, 3, 1]]))


def losses_with_gradients():
    loss = functools.partial(optax.losses.make_fenchel_young_loss(jax.nn.logsumexp))
    return jax.jit(jax.grad(lambda s: loss(s, jnp.eye(5)[:, :4][0]).sum()))(X[0])


def projections():
    @jax.jit
    def project(x, tree):
        p = optax.projections
        return [
            p.projection_simplex(x), p.projection_l1_ball(x), p.projection_l1_sphere(x),
            p.projection_l2_ball(x), p.projection_l2_sphere(x), p.projection_linf_ball(x),
            p.projection_non_negative(tree), p.projection_box(x, 0.0, 1.0),
            p.projection_hypercube(x), p.projection_halfspace(x, x + 1.0, 1.0),
            p.projection_hyperplane(x, x + 1.0, 1.0), p.projection_vector(x, x + 1.0),
        ]

    return project(X[0], PARAMS)


def tree_arithmetic():
    @jax.jit
    def compute(a, b, scale):
        t = optax.tree_utils
        return [
            t.tree_add(a, b), t.tree_sub(a, b), t.tree_mul(a, b), t.tree_div(a, b),
            t.tree_scale(scale, a), t.tree_add_scale(a, scale, b), t.tree_vdot(a, b),
            t.tree_sum(a), t.tree_norm(a, squared=True), t.tree_zeros_like(a), t.tree_ones_like(a),
            t.tree_update_moment(a, b, 0.9, 2), t.tree_bias_correction(a, 0.9, 2), t.tree_max(a),
            t.tree_clip(a, -1.0, 1.0), t.tree_where(scale > 0, a, b), t.tree_conj(a),
            t.tree_full_like(a, 2.0), t.tree_cast(a, jnp.float16), t.tree_real(a), t.tree_size(a),
            t.tree_random_like(jax.random.key(0), a), t.tree_allclose(a, b), t.tree_min(a),
            t.tree_update_moment_per_elem_norm(a, b, 0.9, 2),
            t.tree_update_infinity_moment(a, b, 0.9, 1e-3),
        ]

    return compute(PARAMS, PARAMS, 0.5)


def assignment():
    cost = jnp.array([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]])
    jax.jit(optax.assignment.hungarian_algorithm)(cost)
    return jax.jit(optax.assignment.base_hungarian_algorithm)(cost)


def second_order_and_numerics():
    flat = jnp.ones(3)

    def loss(params, inputs, targets):
        return optax.l2_loss(inputs @ params, targets).mean()

    jax.jit(lambda p, x, y: optax.second_order.hessian_diag(loss, p, x, y))(flat, X[:, :3], X[:, 0])
    jax.jit(
        lambda p, x, y: optax.second_order.hvp(loss, flat, p, x, y)
    )(flat, X[:, :3], X[:, 0])

    @jax.jit
    def norms(x, count):
        return (
            optax.safe_norm(x, 1e-6), optax.safe_root_mean_squares(x, 1e-6),
            optax.safe_increment(count),
        )

    return norms(flat, 3)


def perturbed():
    key = jax.random.key(1)
    noise = optax.perturbations.make_perturbed_fun(lambda x: jnp.where(x > 0, 1.0, 0.0), 10, 0.5)
    return jax.jit(jax.grad(lambda x: noise(key, x).sum()))(jnp.ones(3))


def ema_and_incremental():
    @jax.jit
    def update(new, old, step):
        return (optax.incremental_update(new, old, 0.1), optax.periodic_update(new, old, step, 2),
                optax.global_norm(new))

    return update(PARAMS, PARAMS, 3)
