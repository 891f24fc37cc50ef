import jax.numpy as jnp

import latency

from tools.harm import unawaited
from tools.observation import printed

X = jnp.eye(300)
SERVER = latency.Server(X)

HOSTILE = {}
SILENT = {
    "latency": lambda: unawaited(lambda: SERVER.handle(X), latency),
    "rate": lambda: unawaited(
        lambda: printed(lambda: latency.tokens_per_second(SERVER, X)), latency
    ),
    "compare": lambda: unawaited(lambda: latency.compare(latency.CANDIDATES, X), latency),
}
