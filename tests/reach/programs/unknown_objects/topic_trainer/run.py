"""Put the pieces together."""

import jax
import jax.numpy as jnp

import nets
import trainer

OBJECTIVES = {"hinge": nets.Hinge, "cross_entropy": nets.CrossEntropy}


def build(objective="cross_entropy", track=False):
    tracker = nets.BestLoss() if track else None
    return trainer.Trainer(nets.TopicNet(5, 3), OBJECTIVES[objective](), tracker)


def batch():
    return {"x": jnp.ones((2, 5)), "y": jnp.array([0, 2])}


def main(argv):
    made = build(*argv)
    params = made.net.start(jax.random.key(0))
    for _ in range(2):
        params, loss = made.train_step(params, batch())
        print(float(loss))
    return made, params


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
