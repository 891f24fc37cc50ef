"""Checks, dataclasses and test variants of chex, as users write them."""

import functools

import chex
import jax
import jax.numpy as jnp


@chex.dataclass
class State:
    position: jax.Array
    velocity: jax.Array

    def energy(self, mass):
        return 0.5 * mass * (self.velocity**2).sum()


@chex.dataclass(frozen=True, mappable_dataclass=False)
class Config:
    rate: jax.Array


def simulate():
    @jax.jit
    def step(state, dt):
        chex.assert_shape(state.position, (3,))
        chex.assert_equal_shape([state.position, state.velocity])
        return state.replace(position=state.position + dt * state.velocity), state.energy(dt)

    state, energy = step(State(position=jnp.ones(3), velocity=jnp.ones(3)), 0.1)
    return jax.vmap(lambda c: c.rate * 2)(Config(rate=jnp.ones(3)))


def shapes_and_types():
    @jax.jit
    def check(x, y, i):
        chex.assert_rank([x, y], 2)
        chex.assert_rank(x, {1, 2})
        chex.assert_type([x, y], float)
        chex.assert_type(i, int)
        chex.assert_scalar_positive(1.0)
        chex.assert_shape(x, (None, 2))
        chex.assert_shape([x, y], [(3, 2), (3, 2)])
        chex.assert_equal_shape_prefix([x, y], 1)
        chex.assert_equal_shape_suffix([x, y], 1)
        chex.assert_equal_rank([x, y])
        chex.assert_equal_size([x, y])
        chex.assert_size(x, 6)
        chex.assert_axis_dimension(x, 0, 3)
        chex.assert_axis_dimension_gt(x, 0, 2)
        chex.assert_axis_dimension_gteq(x, 0, 2)
        chex.assert_axis_dimension_lt(x, 0, 4)
        chex.assert_axis_dimension_lteq(x, 0, 4)
        chex.assert_is_broadcastable((2,), x.shape)
        chex.assert_is_divisible(6, 3)
        chex.assert_scalar_in(2, 1, 3)
        chex.assert_scalar_non_negative(0.0)
        chex.assert_scalar_negative(-1.0)
        chex.assert_exactly_one_is_none(None, x)
        chex.assert_not_both_none(None, x)
        chex.assert_tree_no_nones({"x": x})
        return x + y

    return check(jnp.ones((3, 2)), jnp.ones((3, 2)), 3)


def trees():
    @jax.jit
    def check(a, b):
        chex.assert_trees_all_equal_shapes(a, b)
        chex.assert_trees_all_equal_structs(a, b)
        chex.assert_trees_all_equal_dtypes(a, b)
        chex.assert_trees_all_equal_shapes_and_dtypes(a, b)
        chex.assert_tree_shape_prefix(a, (2,))
        chex.assert_tree_shape_suffix(a, (3,))
        chex.assert_trees_all_equal_sizes(a, b)
        return a

    return check({"u": jnp.ones((2, 3))}, {"u": jnp.zeros((2, 3))})


def chexified():
    @chex.chexify
    @jax.jit
    def logarithm(x):
        chex.assert_tree_all_finite(x)
        chex.assert_trees_all_close(x, x + 1e-9)
        chex.assert_trees_all_equal(x, x)
        return jnp.log(x)

    @functools.partial(chex.chexify, async_check=False)
    @jax.jit
    def ordered(x, y):
        chex.assert_trees_all_close(x, y, atol=2.0)
        return x

    logarithm(jnp.ones(3))
    chex.block_until_chexify_assertions_complete()
    return ordered(jnp.ones(3), jnp.zeros(3))


def mapped_checks():
    @jax.vmap
    def norm(x):
        chex.assert_rank(x, 1)
        chex.assert_shape(x, (3,))
        return jnp.linalg.norm(x)

    return jax.jit(lambda x: norm(x).sum())(jnp.ones((2, 3)))


def variants():
    @chex.assert_max_traces(n=2)
    def traced(x, y):
        return x * y

    @chex.assert_max_traces(3)
    def named(x, scale):
        return x * scale

    jax.jit(traced)(jnp.ones(3), 2.0)
    return jax.jit(jax.grad(lambda x: named(x, 2.0).sum()))(jnp.ones(3))


def dimensions():
    dims = chex.Dimensions(B=3, T=5, N=7)

    @jax.jit
    def run(x):
        chex.assert_shape(x, dims["BTN"])
        chex.assert_shape(x, (dims.B, dims.T, dims.N))
        return x.sum()

    return run(jnp.ones((3, 5, 7)))


def nested_dataclasses():
    @chex.dataclass
    class Outer:
        inner: State
        count: chex.Numeric

        def total(self):
            return self.inner.position.sum() + self.count

    @jax.jit
    def run(outer):
        leaves = jax.tree.map(lambda x: x * 2, outer)
        return leaves.total(), outer.to_tuple(), Outer.from_tuple(outer.to_tuple())

    run(Outer(inner=State(position=jnp.ones(3), velocity=jnp.ones(3)), count=1))

    def body(carry, x):
        carry = carry.replace(count=carry.count + x)
        return carry, carry.inner.energy(x)

    start = Outer(inner=State(position=jnp.ones(3), velocity=jnp.ones(3)), count=0.0)
    return jax.lax.scan(body, start, jnp.ones(4))


def mappable():
    @chex.dataclass
    class Pair:
        first: jax.Array
        second: jax.Array

    @jax.jit
    def run(pair):
        return sum(v.sum() for v in pair.values())

    return run(Pair(first=jnp.ones(2), second=jnp.ones(2)))


def gradient_assertions():
    def f(x):
        return (x**3).sum()

    return chex.assert_numerical_grads(f, (jnp.ones(3),), order=1)
