"""Models and transforms of equinox, as users write them."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

KEY = jr.key(0)
IMAGE = jnp.ones((3, 8, 8))


class Block(eqx.Module):
    norm: eqx.nn.LayerNorm
    attention: eqx.nn.MultiheadAttention
    mlp: eqx.nn.MLP
    dropout: eqx.nn.Dropout

    def __init__(self, size, key):
        first, second = jr.split(key)
        self.norm = eqx.nn.LayerNorm(size)
        self.attention = eqx.nn.MultiheadAttention(2, size, key=first)
        self.mlp = eqx.nn.MLP(size, size, 16, 2, key=second)
        self.dropout = eqx.nn.Dropout(0.1)

    def __call__(self, x, key):
        y = jax.vmap(self.norm)(x)
        x = x + self.attention(y, y, y)
        return self.dropout(x + jax.vmap(self.mlp)(x), key=key)


def transformer_block():
    model = Block(8, KEY)

    @eqx.filter_jit
    @eqx.filter_value_and_grad
    def loss(model, x, key):
        return (model(x, key) ** 2).mean()

    value, grads = loss(model, jnp.ones((5, 8)), KEY)
    return eqx.apply_updates(model, grads)


def layers():
    keys = jr.split(KEY, 12)
    for layer, x in (
        (eqx.nn.Linear(4, 3, key=keys[0]), jnp.ones(4)),
        (eqx.nn.Linear("scalar", "scalar", key=keys[0]), jnp.ones(())),
        (eqx.nn.Identity(), jnp.ones(4)),
        (eqx.nn.Conv1d(3, 4, 3, padding="SAME", key=keys[1]), jnp.ones((3, 8))),
        (eqx.nn.Conv2d(3, 4, 3, padding=1, padding_mode="REFLECT", key=keys[2]), IMAGE),
        (eqx.nn.ConvTranspose2d(3, 4, 3, stride=2, key=keys[3]), IMAGE),
        (eqx.nn.ConvTranspose1d(3, 4, 3, padding="SAME", padding_mode="CIRCULAR", key=keys[3]),
         jnp.ones((3, 8))),
        (eqx.nn.MaxPool2d(2, 2), IMAGE), (eqx.nn.AvgPool2d(2, 2, use_ceil=True), IMAGE),
        (eqx.nn.AdaptiveAvgPool2d(3), IMAGE), (eqx.nn.AdaptiveMaxPool2d(2), IMAGE),
        (eqx.nn.LayerNorm(4), jnp.ones(4)), (eqx.nn.RMSNorm(4), jnp.ones(4)),
        (eqx.nn.GroupNorm(3, 3), IMAGE), (eqx.nn.PReLU(0.2), jnp.ones(4)),
        (eqx.nn.Embedding(10, 3, key=keys[4]), jnp.array(3)),
        (eqx.nn.MLP(4, 3, 5, 2, final_activation=jax.nn.softplus, key=keys[5]), jnp.ones(4)),
        (eqx.nn.Lambda(jnp.tanh), jnp.ones(4)), (eqx.nn.RotaryPositionalEmbedding(4), jnp.ones((5, 4))),
        (eqx.nn.WeightNorm(eqx.nn.Linear(4, 3, key=keys[6])), jnp.ones(4)),
    ):
        eqx.filter_jit(lambda layer, x: layer(x))(layer, x)


def masks_and_keys():
    keys = jr.split(KEY, 3)
    attention = eqx.nn.MultiheadAttention(2, 8, dropout_p=0.1, key=keys[0])
    spectral = eqx.nn.SpectralNorm(eqx.nn.Linear(4, 4, key=keys[1]), "weight", key=keys[2])
    state = eqx.nn.State(spectral)

    @eqx.filter_jit
    def run(attention, x, mask, key):
        return attention(x, x, x, mask, key=key)

    @eqx.filter_jit
    def normed(spectral, x, state, key):
        return spectral(x, state, key=key)

    run(attention, jnp.ones((5, 8)), jnp.ones((5, 5), dtype=bool), KEY)
    normed(spectral, jnp.ones(4), state, KEY)


def recurrent():
    cell = eqx.nn.GRUCell(3, 4, key=KEY)
    lstm = eqx.nn.LSTMCell(3, 4, key=KEY)

    @jax.jit
    def run(xs):
        def gru(carry, x):
            return cell(x, carry), None

        def long(carry, x):
            carry = lstm(x, carry)
            return carry, carry[0]

        first, _ = jax.lax.scan(gru, jnp.zeros(4), xs)
        return first, jax.lax.scan(long, (jnp.zeros(4), jnp.zeros(4)), xs)

    return run(jnp.ones((6, 3)))


def stateful():
    class Net(eqx.Module):
        norm: eqx.nn.BatchNorm
        spectral: eqx.nn.SpectralNorm
        count: eqx.nn.StateIndex

        def __init__(self, key):
            linear, power = jr.split(key)
            self.norm = eqx.nn.BatchNorm(4, "batch", mode="batch")
            self.spectral = eqx.nn.SpectralNorm(
                eqx.nn.Linear(4, 4, key=linear), "weight", key=power
            )
            self.count = eqx.nn.StateIndex(jnp.array(0))

        def __call__(self, x, state):
            x, state = self.spectral(x, state)
            x, state = self.norm(x, state)
            return x, state.set(self.count, state.get(self.count) + 1)

    model, state = eqx.nn.make_with_state(Net)(KEY)

    @eqx.filter_jit
    def step(model, x, state):
        return jax.vmap(model, axis_name="batch", in_axes=(0, None), out_axes=(0, None))(x, state)

    out, state = step(model, jnp.ones((5, 4)), state)
    inference = eqx.nn.inference_mode(model)
    return step(inference, jnp.ones((5, 4)), state)


def sequential():
    model = eqx.nn.Sequential(
        [eqx.nn.Linear(4, 4, key=KEY), eqx.nn.Lambda(jax.nn.relu), eqx.nn.Dropout(0.5)]
    )

    @eqx.filter_jit
    def run(model, x, key):
        return model(x, key=key)

    return run(model, jnp.ones(4), KEY)


def filtered_transforms():
    model = eqx.nn.MLP(4, 4, 5, 1, key=KEY)

    @eqx.filter_jit
    def run(model, x):
        params, static = eqx.partition(model, eqx.is_inexact_array)
        value, back = eqx.filter_vjp(lambda m, v: m(v).sum(), model, x)
        grads = back(jnp.ones(()))
        primal, tangent = eqx.filter_jvp(lambda v: model(v), (x,), (x,))
        batched = eqx.filter_vmap(lambda m, v: m(v), in_axes=(None, 0))(model, jnp.stack([x, x]))
        shapes = eqx.filter_eval_shape(model, x)
        doubled = eqx.tree_at(lambda m: m.layers[0].bias, model, replace_fn=lambda b: 2 * b)
        jacobian = eqx.filter_jacfwd(lambda v: model(v))(x), eqx.filter_jacrev(model)(x)
        hessian = eqx.filter_hessian(lambda v: model(v).sum())(x)
        checkpointed = eqx.filter_checkpoint(model)(x)
        closed = eqx.filter_closure_convert(lambda v: model(v), x)(x)
        return (value, grads, primal, tangent, batched, shapes is None, doubled(x), jacobian,
                hessian, checkpointed, closed, eqx.combine(params, static)(x),
                eqx.tree_equal(params, params), eqx.tree_inference(model, True)(x))

    return run(model, jnp.ones(4))


def custom_rules():
    @eqx.filter_custom_vjp
    def clipped(x, scale):
        return x * scale

    @clipped.def_fwd
    def clipped_fwd(perturbed, x, scale):
        return x * scale, scale

    @clipped.def_bwd
    def clipped_bwd(residuals, grad, perturbed, x, scale):
        return jnp.clip(grad * residuals, -1, 1)

    @eqx.filter_custom_jvp
    def doubled(x):
        return 2 * x

    @doubled.def_jvp
    def doubled_jvp(primals, tangents):
        (x,), (t,) = primals, tangents
        return doubled(x), 2 * t

    @eqx.filter_jit
    def run(x):
        return jax.grad(lambda x: clipped(x, 3.0).sum() + doubled(x).sum())(x)

    return run(jnp.ones(3))


def errors_and_debugging():
    @eqx.filter_jit
    def run(x, index):
        x = eqx.error_if(x, jnp.any(x > 5), "too large")
        x = eqx.branched_error_if(x, jnp.any(x > 6), index, ["one", "two"])
        x = eqx.debug.backward_nan(x)
        eqx.debug.breakpoint_if(jnp.any(x > 7))
        return eqx.debug.store_dce(x)

    return run(jnp.ones(3), 0)


def internal_loops():
    internal = eqx.internal

    @eqx.filter_jit
    def run(x):
        def cond(carry):
            return carry[1] < 3

        def body(carry):
            value, step = carry
            return value * 1.5, step + 1

        def loss(x, kind):
            return internal.while_loop(cond, body, (x, 0), max_steps=16, kind=kind)[0].sum()

        def scanned(x):
            def step(carry, item):
                return carry + item, carry

            return internal.scan(step, x, jnp.ones((4, 3)), kind="checkpointed", checkpoints=2)[0].sum()

        return (jax.grad(loss)(x, "checkpointed"), jax.grad(loss)(x, "bounded"), loss(x, "lax"),
                jax.grad(scanned)(x))

    return run(jnp.ones(3))


def internal_functions():
    internal = eqx.internal

    @eqx.filter_jit
    def run(x, flag):
        noinline = internal.noinline(lambda v: v * 2)(x)
        grad = jax.grad(lambda v: internal.nondifferentiable(x).sum() * v.sum())(x)
        unvmapped = internal.unvmap_any(flag), internal.unvmap_all(flag), internal.unvmap_max(x)
        buffers = internal.buffer_at_set(x, 0, 1.0)
        omega = (internal.ω(x) + internal.ω(x)).ω
        return noinline, grad, unvmapped, buffers, omega, internal.left_broadcast_to(x, (3, 2))

    return run(jnp.ones(3), jnp.array([True, False]))


def ensembles():
    @eqx.filter_vmap
    def make(key):
        return eqx.nn.MLP(2, 2, 4, 1, key=key)

    models = make(jr.split(KEY, 3))

    @eqx.filter_vmap(in_axes=(eqx.if_array(0), None))
    def evaluate(model, x):
        return model(x)

    @eqx.filter_jit
    def run(models, x):
        return evaluate(models, x)

    return run(models, jnp.ones(2))


def bound_methods():
    class Counter(eqx.Module):
        count: jax.Array
        scale: float = eqx.field(static=True, default=2.0)

        @eqx.filter_jit
        def add(self, amount):
            return Counter(self.count + amount * self.scale, self.scale)

        @property
        def double(self):
            return self.count * 2

    counter = Counter(jnp.ones(3))
    counter = counter.add(jnp.ones(3))
    return eqx.filter_jit(lambda c: c.double)(counter)
