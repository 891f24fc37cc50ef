"""Expressions as trees that are compiled by tracing an evaluator."""

import jax.numpy as jnp

OPERATORS = {"+": jnp.add, "*": jnp.multiply, "max": jnp.maximum, "sin": jnp.sin}


class Evaluator:
    """Evaluates a tree once; shared subtrees are computed only once."""

    def __init__(self, variables):
        self.variables = variables
        self.memo = {}
        self.hits = 0
        self.order = []

    def value(self, tree):
        """Value of a tree."""
        if tree in self.memo:
            self.hits += 1
            return self.memo[tree]
        if isinstance(tree, str):
            result = self.variables[tree]
        elif isinstance(tree, tuple):
            name, *parts = tree
            result = OPERATORS[name](*[self.value(part) for part in parts])
        else:
            result = jnp.float32(tree)
        self.memo[tree] = result
        self.order.append(tree)
        return result


def depth_first(tree):
    """All names in a tree, by a closure that collects."""
    names, visits = set(), 0

    def visit(node):
        nonlocal visits
        visits += 1
        if isinstance(node, str):
            names.add(node)
        elif isinstance(node, tuple):
            for part in node[1:]:
                visit(part)

    visit(tree)
    return sorted(names), visits
