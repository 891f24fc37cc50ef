import jax.numpy as jnp
import numpy as np
from motifs import best_hits, scan, weights

from tools.observation import compilations, is_tracer

rng = np.random.default_rng(4)
tables = {name: jnp.asarray(rng.integers(0, 9, (4, 4)), jnp.float32) for name in ("tata", "gata")}
matrices = weights.from_counts(tables, jnp.full(4, 0.25))
tata = matrices["tata"]
sequence = "ACGTTATAAANCGGATAC"

HOSTILE = {
    "letters": lambda: scan.score_text(tata, sequence),
    "options": lambda: scan.runners_up(tata, sequence, 2),
}
EXPECT = {"letters": ("TypeError",), "options": ("ValueError",)}


def scan_again():
    best_hits(matrices, sequence)
    return compilations(lambda: best_hits(matrices, sequence)) >= 2


SILENT = {
    "smoothed": lambda: len(weights.smoothed) == 2 and is_tracer(weights.smoothed),
    "scan": scan_again,
}


def quickly():
    scan.best_hits_quickly(matrices, sequence)
    assert compilations(lambda: scan.best_hits_quickly(matrices, sequence)) == 0


INNOCENT = [quickly, lambda: scan.winner(tata, sequence), lambda: tata.information()]
