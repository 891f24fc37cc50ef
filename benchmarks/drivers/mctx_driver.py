"""Searches with mctx, as users write it."""

import jax
import jax.numpy as jnp
import mctx

KEY = jax.random.key(0)
BATCH, ACTIONS = 2, 3
LOGITS = jnp.arange(6.0).reshape(BATCH, ACTIONS)
ROOT = mctx.RootFnOutput(prior_logits=LOGITS, value=jnp.zeros(BATCH), embedding=jnp.ones((BATCH, 4)))


def recurrent(params, key, action, embedding):
    embedding = embedding * params + action[:, None]
    reward = jnp.tanh(embedding.sum(-1))
    output = mctx.RecurrentFnOutput(
        reward=reward, discount=jnp.full_like(reward, 0.9),
        prior_logits=jnp.stack([reward] * ACTIONS, -1), value=reward * 0.5)
    return output, embedding


def muzero():
    @jax.jit
    def plan(params, key):
        return mctx.muzero_policy(params, key, ROOT, recurrent, num_simulations=4, max_depth=3)

    return plan(0.5, KEY)


def gumbel_muzero():
    @jax.jit
    def plan(params, key):
        return mctx.gumbel_muzero_policy(
            params, key, ROOT, recurrent, num_simulations=5, max_num_considered_actions=2,
            invalid_actions=jnp.zeros((BATCH, ACTIONS)),
            qtransform=mctx.qtransform_completed_by_mix_value)

    output = plan(0.5, KEY)
    return jax.jit(lambda tree: tree.summary())(output.search_tree)


def other_transforms():
    def qtransform(tree, node):
        return mctx.qtransform_by_min_max(tree, node, min_value=-1.0, max_value=1.0)

    @jax.jit
    def plan(params, key):
        return mctx.muzero_policy(
            params, key, ROOT, recurrent, num_simulations=3, qtransform=qtransform)

    return plan(0.5, KEY)


def stochastic_muzero():
    def decision(params, key, action, embedding):
        value = embedding.sum(-1) * params
        return mctx.DecisionRecurrentFnOutput(
            chance_logits=jnp.stack([value] * 2, -1), afterstate_value=value), embedding + 1.0

    def chance(params, key, outcome, embedding):
        value = embedding.sum(-1) * params
        return mctx.ChanceRecurrentFnOutput(
            action_logits=jnp.stack([value] * ACTIONS, -1), value=value, reward=value,
            discount=jnp.ones_like(value)), embedding * 0.5

    @jax.jit
    def plan(params, key):
        return mctx.stochastic_muzero_policy(
            params, key, ROOT, decision, chance, num_simulations=3)

    return plan(0.1, KEY)


def own_search():
    @jax.jit
    def plan(params, key):
        return mctx.search(
            params, key, root=ROOT, recurrent_fn=recurrent,
            root_action_selection_fn=lambda key, tree, node: mctx.muzero_action_selection(
                key, tree, node, depth=0),
            interior_action_selection_fn=mctx.muzero_action_selection, num_simulations=3)

    return plan(0.5, KEY)
