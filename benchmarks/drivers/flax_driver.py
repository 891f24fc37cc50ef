"""Models of flax, in both of its interfaces, as users write them."""

import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import nnx, struct
from flax.training import dynamic_scale, train_state
from flax.training.common_utils import onehot, shard_prng_key

KEY = jax.random.key(0)
IMAGES = jnp.ones((2, 8, 8, 3))


@struct.dataclass
class Metrics:
    loss: jax.Array
    count: jax.Array

    def merge(self, other):
        return Metrics(self.loss + other.loss, self.count + other.count)


def apply_linen(model, *inputs, **options):
    """Initialise and apply under jit and grad, with whatever collections the model has."""
    rngs = {"params": KEY, "dropout": KEY, "carry": KEY}
    variables = jax.jit(functools.partial(model.init, **options))(rngs, *inputs)

    @jax.jit
    def forward(variables, *inputs):
        return model.apply(variables, *inputs, rngs=rngs, mutable=True, **options)

    forward(variables, *inputs)

    def loss(params, rest):
        out, _ = model.apply(
            {"params": params, **rest}, *inputs, rngs=rngs, mutable=True, **options
        )
        return sum(leaf.sum() for leaf in jax.tree.leaves(out))

    rest = {name: value for name, value in variables.items() if name != "params"}
    if "params" in variables:
        jax.jit(jax.grad(loss))(variables["params"], rest)


class Encoder(nn.Module):
    width: int

    def setup(self):
        self.attention = nn.MultiHeadDotProductAttention(2, dropout_rate=0.1, deterministic=False)
        self.norm = nn.LayerNorm()
        self.out = nn.DenseGeneral(self.width)

    def __call__(self, x):
        y = self.norm(x)
        return self.out(x + self.attention(y, y))


class Body(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Dense(self.width)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        x = nn.Dropout(0.1, deterministic=not train)(nn.gelu(x))
        scale = self.param("scale", nn.initializers.ones, (self.width,))
        count = self.variable("stats", "count", lambda: jnp.zeros(()))
        count.value += 1
        self.sow("intermediates", "hidden", x)
        return x * scale


def linen_models():
    apply_linen(Body(4), jnp.ones((2, 5)))
    apply_linen(Encoder(4), jnp.ones((2, 5, 4)))


def linen_layers():
    for layer, x in (
        (nn.Conv(4, (3, 3), padding="CIRCULAR"), IMAGES), (nn.ConvTranspose(4, (3, 3)), IMAGES),
        (nn.ConvLocal(2, (3, 3)), IMAGES), (nn.GroupNorm(1), IMAGES), (nn.RMSNorm(), IMAGES),
        (nn.InstanceNorm(), IMAGES), (nn.LayerNorm(), IMAGES),
        (nn.WeightNorm(nn.Dense(4)), jnp.ones((2, 3))), (nn.Embed(10, 4), jnp.array([1, 2])),
        (nn.PReLU(), jnp.ones(3)), (nn.Einsum((3, 4), "ab,bc->ac"), jnp.ones((2, 3))),
        (nn.Sequential([nn.Dense(4), nn.relu, nn.Dense(2)]), jnp.ones((2, 3))),
        (nn.DenseGeneral((2, 3), axis=(-2, -1)), jnp.ones((2, 3, 4))),
    ):
        apply_linen(layer, x)
    apply_linen(nn.SpectralNorm(nn.Dense(4)), jnp.ones((2, 3)), update_stats=True)
    apply_linen(nn.BatchNorm(use_running_average=True), IMAGES)


def linen_functions():
    @jax.jit
    def run(x):
        pooled = nn.avg_pool(x, (2, 2)), nn.max_pool(x, (2, 2), (2, 2))
        flat = x.reshape(2, -1)
        mask = nn.combine_masks(nn.make_causal_mask(flat), nn.make_attention_mask(flat, flat))
        q = flat[:, :12].reshape(2, 3, 2, 2)
        attended = nn.dot_product_attention(q, q, q)
        seen = jnp.ones((2, 2, 3, 3), dtype=bool)
        attended += nn.dot_product_attention(
            q, q, q, mask=seen, dropout_rng=KEY, dropout_rate=0.1, deterministic=False
        )
        weights = nn.dot_product_attention_weights(q, q)
        return pooled, mask, attended, weights

    return run(IMAGES)


def linen_recurrent():
    for cell in (nn.LSTMCell(4), nn.GRUCell(4), nn.OptimizedLSTMCell(4), nn.SimpleCell(4),
                 nn.MGUCell(4)):
        apply_linen(nn.RNN(cell, return_carry=True), jnp.ones((2, 3, 5)))
    apply_linen(nn.Bidirectional(nn.RNN(nn.GRUCell(3)), nn.RNN(nn.GRUCell(3))), jnp.ones((2, 3, 5)))
    apply_linen(
        nn.RNN(nn.ConvLSTMCell(2, (3, 3))), jnp.ones((1, 3, 4, 4, 2))
    )
    lengths = jnp.array([2, 3])
    apply_linen(nn.RNN(nn.GRUCell(4), reverse=True, keep_order=True), jnp.ones((2, 3, 5)),
                seq_lengths=lengths)


class Lifted(nn.Module):
    @nn.compact
    def __call__(self, x):
        scanned = nn.scan(nn.GRUCell, variable_broadcast="params", split_rngs={"params": False},
                          in_axes=1, out_axes=1)(4)
        carry, ys = scanned(jnp.zeros((2, 4)), x)
        dense = nn.vmap(nn.Dense, variable_axes={"params": 0}, split_rngs={"params": True})(3)
        y = dense(ys)
        y = nn.remat(nn.Dense)(3)(y)
        y = nn.jit(nn.Dense)(3)(y)
        y = nn.cond(y.sum() > 0, lambda m, v: v * 2, lambda m, v: v, self, y)
        y = nn.switch(1, [lambda m, v: v, lambda m, v: v + 1], self, y)
        y = nn.map_variables(nn.Dense, "params", lambda p: p, init=True)(3)(y)
        y = nn.add_metadata_axis(nn.Dense, variable_axes={"params": 0},
                                 metadata_params={nn.PARTITION_NAME: "x"})(3)(y)

        def loss(module, v):
            return (nn.Dense(2, name="inner")(v)).sum()

        value, back = nn.vjp(loss, self, y)
        return y, value, back(jnp.ones(()))


def linen_lifted():
    apply_linen(Lifted(), jnp.ones((2, 3, 5)))


def linen_partitioned():
    model = nn.Dense(4, kernel_init=nn.with_partitioning(nn.initializers.lecun_normal(), (None, "x")))
    logical = nn.Dense(
        4, kernel_init=nn.with_logical_partitioning(nn.initializers.ones, ("in", "out"))
    )
    for each in (model, logical):
        variables = jax.jit(each.init)(KEY, jnp.ones((2, 3)))
        jax.jit(each.apply)(nn.meta.unbox(variables), jnp.ones((2, 3)))
        nn.get_partition_spec(variables)


def training_state():
    model = nn.Dense(3)
    variables = model.init(KEY, jnp.ones((2, 5)))
    state = train_state.TrainState.create(
        apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-3)
    )

    @jax.jit
    def step(state, x, labels, metrics):
        def loss_fn(params):
            logits = state.apply_fn({"params": params}, x)
            return optax.softmax_cross_entropy(logits, onehot(labels, 3)).mean()

        loss, grads = jax.value_and_grad(loss_fn)(state.params)
        return state.apply_gradients(grads=grads), metrics.merge(Metrics(loss, jnp.ones(())))

    state, metrics = step(state, jnp.ones((2, 5)), jnp.array([0, 1]),
                          Metrics(jnp.zeros(()), jnp.zeros(())))

    @jax.jit
    def scaled(state, scale, x):
        def loss_fn(params):
            return state.apply_fn({"params": params}, x).sum()

        scale, finite, loss, grads = scale.value_and_grad(loss_fn)(state.params)
        return state.apply_gradients(grads=grads), scale

    return scaled(state, dynamic_scale.DynamicScale(), jnp.ones((2, 5)))


def schedules():
    from flax.training import lr_schedule

    constant = lr_schedule.create_constant_learning_rate_schedule(0.1, 10, 2.0)
    stepped = lr_schedule.create_stepped_learning_rate_schedule(0.1, 10, [[1, 0.5]], 1.0)
    cosine = lr_schedule.create_cosine_learning_rate_schedule(0.1, 10, 5, 1.0)
    return jax.jit(lambda step: (constant(step), stepped(step), cosine(step)))(3)


class Net(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(5, 8, rngs=rngs)
        self.norm = nnx.BatchNorm(8, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.out = nnx.LinearGeneral(8, (2, 2), rngs=rngs)
        self.count = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        self.count.value += 1
        x = nnx.relu(self.norm(self.linear(x)))
        return self.out(self.dropout(x))


def nnx_training():
    model = Net(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
    metrics = nnx.MultiMetric(loss=nnx.metrics.Average("loss"), accuracy=nnx.metrics.Accuracy(),
                              spread=nnx.metrics.Welford("loss"))

    @nnx.jit
    def step(model, optimizer, metrics, x, labels):
        def loss_fn(model):
            logits = model(x).reshape(x.shape[0], -1)
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), logits

        (loss, logits), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model)
        metrics.update(loss=loss, logits=logits, labels=labels, values=loss)
        optimizer.update(model, grads)
        return loss

    step(model, optimizer, metrics, jnp.ones((2, 5)), jnp.array([0, 1]))
    metrics.compute()
    model.eval()
    return nnx.jit(lambda m, x: m(x))(model, jnp.ones((2, 5)))


def nnx_layers():
    rngs = nnx.Rngs(0, params=1, dropout=2)
    for layer, x in (
        (nnx.Conv(3, 4, (3, 3), rngs=rngs), IMAGES),
        (nnx.Conv(3, 4, (3, 3), padding="CIRCULAR", rngs=rngs), IMAGES),
        (nnx.ConvTranspose(3, 4, (3, 3), rngs=rngs), IMAGES),
        (nnx.LayerNorm(3, rngs=rngs), IMAGES), (nnx.RMSNorm(3, rngs=rngs), IMAGES),
        (nnx.GroupNorm(3, num_groups=1, rngs=rngs), IMAGES),
        (nnx.InstanceNorm(3, rngs=rngs), IMAGES),
        (nnx.Embed(10, 4, rngs=rngs), jnp.array([1, 2])),
        (nnx.Einsum("ab,bc->ac", (3, 4), (4,), rngs=rngs), jnp.ones((2, 3))),
        (nnx.MultiHeadAttention(2, 4, decode=False, rngs=rngs), jnp.ones((2, 3, 4))),
        (nnx.Sequential(nnx.Linear(3, 4, rngs=rngs), nnx.relu), jnp.ones((2, 3))),
        (nnx.PReLU(), jnp.ones(3)),
        (nnx.LoRA(3, 2, 4, rngs=rngs), jnp.ones((2, 3))),
        (nnx.LoRALinear(3, 4, lora_rank=2, rngs=rngs), jnp.ones((2, 3))),
        (nnx.SpectralNorm(nnx.Linear(3, 4, rngs=rngs), rngs=rngs), jnp.ones((2, 3))),
        (nnx.WeightNorm(nnx.Linear(3, 4, rngs=rngs), rngs=rngs), jnp.ones((2, 3))),
        (nnx.RNN(nnx.LSTMCell(3, 4, rngs=rngs)), jnp.ones((2, 3, 3))),
        (nnx.RNN(nnx.GRUCell(3, 4, rngs=rngs), reverse=True), jnp.ones((2, 3, 3))),
        (nnx.RNN(nnx.SimpleCell(3, 4, rngs=rngs)), jnp.ones((2, 3, 3))),
        (nnx.RNN(nnx.OptimizedLSTMCell(3, 4, rngs=rngs)), jnp.ones((2, 3, 3))),
        (nnx.Bidirectional(nnx.RNN(nnx.GRUCell(3, 4, rngs=rngs)),
                           nnx.RNN(nnx.GRUCell(3, 4, rngs=rngs)), rngs=rngs), jnp.ones((2, 3, 3))),
    ):
        @nnx.jit
        def forward(layer, x):
            return layer(x)

        forward(layer, x)
        if jnp.issubdtype(x.dtype, jnp.floating):
            nnx.jit(nnx.grad(lambda layer, x: jax.tree.leaves(layer(x))[0].sum()))(layer, x)


def nnx_transforms():
    @nnx.split_rngs(splits=3)
    @nnx.vmap(in_axes=(0,))
    def make(rngs):
        return nnx.Linear(4, 4, rngs=rngs)

    stack = make(nnx.Rngs(0))

    @nnx.jit
    def run(stack, x):
        @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
        def forward(x, layer):
            return nnx.relu(layer(x))

        y = forward(x, stack)
        graph, state = nnx.split(stack)
        merged = nnx.merge(graph, state)
        ys = nnx.vmap(lambda layer, v: layer(v), in_axes=(0, None))(merged, x)
        z = nnx.remat(lambda layer, v: layer(v))(jax.tree.map(lambda p: p[0], merged), x)
        w = nnx.cond(z.sum() > 0, lambda v: v * 2, lambda v: v, z)
        s = nnx.switch(1, [lambda v: v, lambda v: v + 1], w)
        loop = nnx.fori_loop(0, 2, lambda i, v: v + 1, s)
        last = nnx.while_loop(lambda v: v.sum() < -1e6, lambda v: v + 1, loop)
        return y, ys, last

    return run(stack, jnp.ones(4))


def nnx_state():
    model = Net(nnx.Rngs(0))
    graph, params, rest = nnx.split(model, nnx.Param, ...)

    @jax.jit
    def pure(params, rest, x):
        model = nnx.merge(graph, params, rest)
        y = model(x)
        nnx.update(model, jax.tree.map(lambda p: p * 0.9, nnx.state(model, nnx.Param)))
        return y, nnx.state(model)

    pure(params, rest, jnp.ones((2, 5)))

    @jax.custom_vjp
    def f(x):
        return x * 2

    f.defvjp(lambda x: (f(x), x), lambda x, g: (g * x,))
    return jax.jit(jax.grad(lambda x: f(x).sum()))(jnp.ones(3))


def nnx_bridge():
    from flax.nnx import bridge

    wrapped = bridge.ToNNX(nn.Dense(4), rngs=nnx.Rngs(0))
    bridge.lazy_init(wrapped, jnp.ones((2, 3)))
    nnx.jit(lambda m, x: m(x))(wrapped, jnp.ones((2, 3)))
    linen = bridge.ToLinen(nnx.Linear, args=(3, 4))
    variables = jax.jit(linen.init)(KEY, jnp.ones((2, 3)))
    return jax.jit(linen.apply)(variables, jnp.ones((2, 3)))


def decoding():
    layer = nn.MultiHeadDotProductAttention(2, decode=True)
    variables = jax.jit(layer.init)(KEY, jnp.ones((2, 4, 4)), jnp.ones((2, 4, 4)))

    @jax.jit
    def step(variables, token):
        return layer.apply(variables, token, token, mutable=["cache"])

    return step(variables, jnp.ones((2, 1, 4)))
