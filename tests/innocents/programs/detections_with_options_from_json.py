"""Looks like a fault of JIT109.

The size of the selection stands in the JSON options that are unpacked into the call.
"""
import json

import jax
import jax.numpy as jnp

OPTIONS = json.loads("""
{"threshold": 0.5,
 "selection": {"size": 4, "fill_value": -1},
 "classes": {"size": 3, "fill_value": 0}}
""")


class Detector:
    def __init__(self, options):
        self.threshold = options["threshold"]
        self.selection = options["selection"]
        self.classes = options["classes"]
        self.detect = jax.jit(self._detect)

    def _detect(self, scores, labels):
        (found,) = jnp.nonzero(scores > self.threshold, **self.selection)
        kinds = jnp.unique(jnp.where(found >= 0, labels[found], 0), **self.classes)
        return found, kinds


if __name__ == "__main__":
    detector = Detector(OPTIONS)
    scores = jnp.array([0.1, 0.9, 0.3, 0.8, 0.7])
    labels = jnp.array([5, 2, 2, 2, 7])
    found, kinds = detector.detect(scores, labels)
    assert found.tolist() == [1, 3, 4, -1]
    assert kinds.tolist() == [0, 2, 7]
    detector.detect(scores * 0.5, labels)
    assert detector.detect._cache_size() == 1
