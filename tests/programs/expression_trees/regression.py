"""Score expressions against data."""

from functools import partial, reduce

import jax
import jax.numpy as jnp

from builder import Evaluator, depth_first


@partial(jax.jit, static_argnames="tree")
def evaluate(tree, variables):
    """Value and share of work saved."""
    evaluator = Evaluator(variables)
    value = evaluator.value(tree)
    saved = evaluator.hits / max(len(evaluator.order), 1)
    return value, saved


def accumulate(terms, into):
    """Add terms to the list that was handed in."""
    into.extend(terms)
    into[0] = 2.0 * into[0]
    return into


@jax.jit
def moments(variables):
    """First moments of all products of two variables, in a dictionary."""
    products, count = {}, 0

    def note(name, value):
        nonlocal count
        count += 1
        products[name] = value.mean()

    for first in sorted(variables):
        for second in sorted(variables):
            if first <= second:
                note(first + second, variables[first] * variables[second])
    totals = accumulate(list(products.values()), [])
    totals += [jnp.zeros(())]
    jax.tree.map(totals.append, variables["x"].mean())
    products["sum"] = reduce(jnp.add, totals)
    products["count"] = count
    return products


def score(trees, variables, target):
    """Errors of many expressions, sorted."""
    errors = []
    for tree in trees:
        names, visits = depth_first(tree)
        value, saved = evaluate(tree, {name: variables[name] for name in names})
        errors.append((float(jnp.mean((value - target) ** 2)), visits, float(saved)))
    errors.sort()
    return errors
