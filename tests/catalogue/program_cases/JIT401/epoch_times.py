import jax.numpy as jnp

import model
import train

from tools.harm import unawaited
from tools.observation import printed

BATCHES = [jnp.ones((400, 400)) * k for k in range(2)]

HOSTILE = {}
SILENT = {
    "epoch": lambda: unawaited(lambda: printed(lambda: train.train(BATCHES, 1)), train, model),
    "helper": lambda: unawaited(lambda: train.timed_evaluation(BATCHES), train, model),
}
