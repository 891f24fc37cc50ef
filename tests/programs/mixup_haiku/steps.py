"""Steps for the network."""

from functools import partial

import haiku as hk
import jax
import jax.numpy as jnp

import net

model = hk.transform(
    lambda x, mix=None, is_training=False: net.MixNet([8, 3], dropout=0.1)(x, mix, is_training)
)
plain = hk.without_apply_rng(hk.transform(lambda x: net.MixNet([8, 3])(x)))
apply_jit = jax.jit(model.apply)
apply_static = jax.jit(model.apply, static_argnames="is_training")


def init(key):
    return model.init(key, jnp.ones((1, 4)))


@partial(jax.jit, static_argnames=("larger", "reduce"))
def loss_step(params, key, xs, ys, larger=False, reduce=True):
    mix_key, drop_key = jax.random.split(key)
    mix = net.draw_mix(mix_key, xs.shape[0], larger=larger)

    def loss_fn(params):
        logits = model.apply(params, drop_key, xs, mix, is_training=True)
        targets = net.blend(jax.nn.one_hot(ys, logits.shape[-1]), mix)
        losses = -(targets * jax.nn.log_softmax(logits)).sum(-1)
        return losses.mean() if reduce else losses.sum()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def normaliser(guard):
    """Init and compiled apply of the normalising layer."""
    layer = hk.without_apply_rng(
        hk.transform_with_state(lambda x: net.Normalised(guard=guard)(x))
    )
    return layer.init, jax.jit(layer.apply)


@jax.jit
def per_group_accuracy(params, xs, ys, groups):
    """Accuracy of every group that occurs in the batch."""
    right = plain.apply(params, xs).argmax(-1) == ys
    names = jnp.unique(groups)  # expect: JIT109 @groups
    return jnp.stack([jnp.where(groups == name, right, 0).sum() for name in names])


@partial(jax.jit, static_argnames="count")
def group_accuracy(params, xs, ys, groups, count):
    right = plain.apply(params, xs).argmax(-1) == ys
    names = jnp.unique(groups, size=count)
    return jax.vmap(lambda name: jnp.where(groups == name, right, 0).sum())(names)


def main():
    key = jax.random.key(0)
    xs, ys = jax.random.normal(key, (6, 4)), jnp.arange(6) % 3
    params = init(key)
    losses = []
    while len(losses) < 3:
        params, loss = loss_step(params, key, xs, ys)
        losses.append(float(loss))
    print("improved" if losses[-1] < losses[0] else "not improved")
    print(apply_static(params, key, xs, is_training=True).shape)
    if jax.device_count() > 0 and set(ys.tolist()) == {0, 1, 2}:
        print(group_accuracy(params, xs, ys, ys, 3))
    for guard in (False, True):
        start, apply = normaliser(guard)
        print(apply(*start(key, xs), xs)[0].mean())
    print(apply_jit(params, key, xs, None, True), loss_step(params, key, xs, ys, larger=True))
    print(per_group_accuracy(params, xs, ys, ys))


if __name__ == "__main__":
    main()
