"""Networks of haiku, as users write them."""

import haiku as hk
import jax
import jax.numpy as jnp

KEY = jax.random.key(0)
RNG = jax.random.PRNGKey(0)
IMAGES = jnp.ones((2, 8, 8, 3))


def run(function, *inputs, differentiable=True):
    """Initialise and apply under jit and grad."""
    transformed = hk.transform_with_state(function)
    params, held = jax.jit(transformed.init)(RNG, *inputs)

    @jax.jit
    def apply(params, held, rng, *inputs):
        out, held = transformed.apply(params, held, rng, *inputs)
        return out, held

    apply(params, held, RNG, *inputs)

    if not differentiable:
        return None

    def loss(params):
        out, _ = transformed.apply(params, held, RNG, *inputs)
        return sum(leaf.sum() for leaf in jax.tree.leaves(out))

    return jax.jit(jax.grad(loss))(params)


class Residual(hk.Module):
    def __init__(self, width, name=None):
        super().__init__(name=name)
        self.width = width

    def __call__(self, x):
        scale = hk.get_parameter("scale", [self.width], init=jnp.ones)
        y = hk.Linear(self.width)(x)
        return x + jax.nn.relu(y) * scale

    def squared(self, x):
        return self(x) ** 2


def mlp():
    def forward(x):
        x = hk.Linear(8)(x)
        x = Residual(8)(x)
        x = Residual(8, name="again").squared(x)
        x = hk.nets.MLP([8, 4], activate_final=True)(x, 0.1, hk.next_rng_key())
        return x

    run(forward, jnp.ones((2, 5)))


def convolutions():
    def forward(x):
        x = hk.Conv2D(4, 3, stride=2)(x)
        x = hk.Conv2DTranspose(4, 3, stride=2)(x)
        x = hk.DepthwiseConv2D(1, 3)(x)
        x = hk.SeparableDepthwiseConv2D(1, 3)(x)
        x = hk.MaxPool(2, 2, "SAME")(x)
        x = hk.AvgPool(2, 2, "SAME")(x)
        x = hk.avg_pool(x, 2, 1, "SAME") + hk.max_pool(x, 2, 1, "SAME")
        x = hk.Flatten()(x)
        y = hk.Conv1D(4, 3)(x[:, :, None])
        y = hk.Conv1DTranspose(2, 3)(y)
        return hk.Reshape((-1,))(y)

    run(forward, IMAGES)


def three_dimensions():
    def forward(x):
        return hk.Conv3DTranspose(2, 2)(hk.Conv3D(2, 2)(x))

    run(forward, jnp.ones((1, 4, 4, 4, 2)))


def normalisations():
    def forward(x):
        x = hk.BatchNorm(True, True, 0.9)(x, is_training=True)
        x = hk.LayerNorm(-1, True, True)(x)
        x = hk.GroupNorm(1)(x)
        x = hk.InstanceNorm(True, True)(x)
        x = hk.RMSNorm(-1)(x)
        x = hk.SpectralNorm()(x)
        other = hk.BatchNorm(True, True, 0.9, name="other")
        return other(x, is_training=False, test_local_stats=True)

    run(forward, IMAGES)


def weights_are_normalised():
    def forward(x):
        linear = hk.Linear(4)
        with hk.experimental.name_scope("scoped"):
            linear(x)
        y = hk.SNParamsTree(ignore_regex="b")(hk.data_structures.to_mutable_dict(
            {"lin": {"w": jnp.ones((4, 4))}}
        ))
        z = hk.EMAParamsTree(0.9)({"lin": {"w": x}})
        return linear(x), y, z, hk.ExponentialMovingAverage(0.99)(x)

    run(forward, jnp.ones((2, 5)))


def recurrent():
    def forward(x):
        outs = []
        for core in (hk.VanillaRNN(4), hk.GRU(4), hk.LSTM(4), hk.IdentityCore(),
                     hk.DeepRNN([hk.LSTM(4), jax.nn.relu, hk.GRU(4)]),
                     hk.deep_rnn_with_skip_connections([hk.LSTM(4), hk.GRU(4)])):
            initial = core.initial_state(x.shape[1])
            out, state = hk.dynamic_unroll(core, x, initial)
            out2, state = hk.static_unroll(core, x, initial)
            outs.append((out, out2, state))
        reset = hk.ResetCore(hk.LSTM(4))
        flags = jnp.zeros(x.shape[:2], bool)
        outs.append(hk.dynamic_unroll(reset, (x, flags), reset.initial_state(x.shape[1])))
        return outs

    run(forward, jnp.ones((3, 2, 5)))


def convolutional_recurrent():
    def forward(x):
        core = hk.Conv2DLSTM((4, 4), 2, 3)
        return hk.dynamic_unroll(core, x, core.initial_state(2))

    run(forward, jnp.ones((3, 2, 4, 4, 1)))


def attention():
    def forward(x):
        y = hk.MultiHeadAttention(2, 4, w_init=hk.initializers.VarianceScaling(1.0))(x, x, x)
        y = hk.LayerNorm(-1, True, True)(y + x[..., : y.shape[-1]].sum())
        return hk.dropout(hk.next_rng_key(), 0.1, y)

    run(forward, jnp.ones((2, 5, 8)))


def embeddings():
    def forward(tokens, x):
        table = hk.Embed(10, 4)
        onehot = hk.Embed(10, 4, lookup_style=hk.EmbedLookupStyle.ONE_HOT)
        quantised = hk.nets.VectorQuantizer(4, 6, 0.25)(x, is_training=True)
        moving = hk.nets.VectorQuantizerEMA(4, 6, 0.25, 0.9)(x, is_training=True)
        return table(tokens), onehot(tokens), quantised["quantize"], moving["loss"]

    run(forward, jnp.array([1, 2, 3]), jnp.ones((3, 4)))


def residual_networks():
    def forward(x):
        return hk.nets.ResNet(
            (1, 1, 1, 1), 5, bottleneck=False, channels_per_group=(8, 8, 8, 8),
            use_projection=(True, True, True, True), resnet_v2=True,
        )(x, is_training=True)

    run(forward, jnp.ones((1, 32, 32, 3)))


def mobile_network():
    def forward(x):
        return hk.nets.MobileNetV1((1, 1), (4, 4), num_classes=3)(x, is_training=True)

    run(forward, jnp.ones((1, 16, 16, 3)))


def initialisers():
    def forward(x):
        i = hk.initializers
        total = 0.0
        for number, init in enumerate((
            i.Constant(1.0), i.RandomNormal(), i.TruncatedNormal(), i.RandomUniform(),
            i.VarianceScaling(2.0, "fan_avg", "uniform"), i.UniformScaling(), i.Orthogonal(),
            i.Identity(), i.VarianceScaling(1.0, "fan_in", "normal"),
        )):
            total = total + (x @ hk.get_parameter(f"w{number}", [5, 5], init=init)).sum()
        return total

    run(forward, jnp.ones((2, 5)))


def lifted_control_flow():
    def forward(x):
        linear = hk.Linear(5)

        def body(carry, y):
            return linear(carry) + y, carry

        carry, _ = hk.scan(body, x[0], x)
        y = hk.fori_loop(0, 3, lambda i, v: linear(v), carry)
        z = y
        if not hk.running_init():
            z = hk.while_loop(lambda v: v.sum() < -1e6, lambda v: v + 1, y)
        w = hk.cond(z.sum() > 0, lambda v: linear(v), lambda v: v, z)
        s = hk.switch(1, [lambda v: v, lambda v: linear(v)], w)
        m = hk.vmap(lambda v: linear(v), split_rng=False)(x)
        r = hk.remat(lambda v: linear(v))(s)
        g = hk.grad(lambda v: linear(v).sum())(s)
        v, h = hk.value_and_grad(lambda v: linear(v).sum())(s)
        mapped = hk.map(lambda v: linear(v), x)
        shape = hk.eval_shape(lambda v: linear(v), s)
        return hk.layer_stack(2)(lambda v: hk.Linear(5)(v))(s), m, r, g, v, h, mapped

    run(forward, jnp.ones((4, 5)), differentiable=False)


def state_and_hooks():
    class Counter(hk.Module):
        def __call__(self, x):
            count = hk.get_state("count", [], jnp.int32, init=jnp.zeros)
            hk.set_state("count", count + 1)
            return x * count

    def doubled(next_getter, value, context):
        return next_getter(value) * 2

    def creator(next_creator, shape, dtype, init, context):
        return next_creator(shape, dtype, init)

    def intercept(f, args, kwargs, context):
        return f(*args, **kwargs)

    def forward(x):
        with hk.custom_getter(doubled), hk.custom_creator(creator), hk.intercept_methods(intercept):
            y = hk.Linear(4)(Counter()(x))
        keys = hk.next_rng_keys(2)
        hk.reserve_rng_keys(2)
        noise = jax.random.normal(hk.maybe_next_rng_key(), y.shape)
        return y + noise + jax.random.normal(keys[0], y.shape)

    run(forward, jnp.ones((2, 5)))


def sequences_and_bias():
    def forward(x):
        y = hk.Sequential([hk.Linear(4), jax.nn.relu, hk.Bias(), hk.Linear(2)])(x)
        y = hk.Bias(bias_dims=[-1])(y, multiplier=0.5)
        y = hk.BatchApply(hk.Linear(3))(y[:, None])
        z = hk.to_module(lambda v: hk.Linear(3)(v))(name="made")(y)
        onehot = hk.one_hot(jnp.array([1, 0]), 3)
        return hk.expand_apply(lambda v: v * 2)(z), hk.multinomial(hk.next_rng_key(), y, 2), onehot

    run(forward, jnp.ones((2, 5)))


def stochastic_depth_and_lifting():
    def inner(x):
        return hk.Linear(3)(x)

    def forward(x):
        init, apply = hk.transform(inner)
        params = hk.lift(init, name="lifted")(hk.next_rng_key() if hk.running_init() else None, x)
        return apply(params, None, x)

    run(forward, jnp.ones((2, 5)))


def multi_transform():
    def make():
        encoder, decoder = hk.Linear(3), hk.Linear(5)

        def init(x):
            return decoder(encoder(x))

        return init, (encoder, decoder)

    f = hk.multi_transform(make)
    params = jax.jit(f.init)(RNG, jnp.ones((2, 5)))

    @jax.jit
    def step(params, x):
        encode, decode = f.apply
        return decode(params, RNG, encode(params, RNG, x))

    step(params, jnp.ones((2, 5)))
    return jax.jit(lambda p: hk.data_structures.filter(lambda m, n, v: n == "w", p))(params)
