"""A long factory that compares, prints and counts, all on the host before anything is traced."""

import logging
import time

import jax
import jax.numpy as jnp
import numpy as np

logger = logging.getLogger(__name__)
MADE = []


def make_scheduler(ovens, demand, verbose=False):
    """Plan what is baked when.

    Args:
      ovens: the capacity of each oven, a list of numbers.
      demand: what customers want in each hour, an array.
      verbose: tell what is prepared.

    Returns:
      A compiled function from prices to the plan, and the names of its columns.
    """
    started = time.time()
    capacities = np.asarray(ovens, np.float32)
    demand = jnp.asarray(demand, jnp.float32)
    if capacities.min() <= 0:
        raise ValueError("an oven without room")
    if float(demand.max()) > float(capacities.sum()):
        logger.warning("demand of %.1f exceeds all ovens", float(demand.max()))
    order = sorted(range(len(ovens)), key=lambda i: -capacities[i])
    names = [f"oven {i} ({capacities[i]:.0f})" for i in order]
    busy = demand[demand > demand.mean()]
    peak = int(busy.shape[0])
    table = {}
    for i in order:
        table[names[order.index(i)]] = capacities[i]
    while len(table) < 2:
        table[f"spare {len(table)}"] = 0.0
    limits = jnp.array(list(table.values()))
    if verbose:
        print("prepared", len(table), "ovens in", time.time() - started)
    MADE.append(names)

    def share(prices):
        weights = jax.nn.softmax(prices)
        return jnp.minimum(weights * demand.sum(), limits[: prices.shape[0]])

    def plan(prices):
        amounts = share(prices)
        for _ in range(peak):
            amounts = 0.5 * (amounts + share(prices - amounts))
        return amounts

    return jax.jit(plan), list(table)


def main():
    plan, columns = make_scheduler([4, 2, 1], [1.0, 2.0, 6.0], verbose=True)
    amounts = plan(jnp.zeros(3))
    for column, amount in zip(columns, amounts):
        print(f"{column}: {float(amount):.2f}")


if __name__ == "__main__":
    main()
