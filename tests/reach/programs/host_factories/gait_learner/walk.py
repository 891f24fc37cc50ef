"""Learn to walk."""

import json
import sys

import jax.numpy as jnp

from learner import make_learner

DEFAULTS = {"rate": 0.01, "cost": 0.1, "joints": 4, "horizon": 3}


def main(arguments):
    config = dict(DEFAULTS)
    for argument in arguments:
        with open(argument) as handle:
            config.update(json.load(handle))
    learner = make_learner(config)
    weights, state = learner.init()
    for _ in range(3):
        weights, state, value = learner.improve(weights, state, jnp.ones(config["joints"]))
        print(float(value))
    return learner.export(weights)


if __name__ == "__main__":
    main(sys.argv[1:])
