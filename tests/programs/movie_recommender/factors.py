"""Matrix factorisation with biases, trained by a class that owns its parameters."""

import jax
import jax.numpy as jnp
from tracking import RunTracker, warn_about, warn_if_large


class Recommender:
    def __init__(self, key, people, films, width, tracker: RunTracker):
        first, second = jax.random.split(key)
        self.params = {
            "people": 0.1 * jax.random.normal(first, (people, width)),
            "films": 0.1 * jax.random.normal(second, (films, width)),
        }
        self.tracker = tracker
        self.error = None
        self.step = jax.jit(self._step)
        self.evaluate = jax.jit(self._evaluate)

    def _predict(self, params, person, film):
        return jnp.sum(params["people"][person] * params["films"][film], axis=-1)

    def _loss(self, params, person, film, stars):
        warn_if_large(stars)
        residual = self._predict(params, person, film) - stars
        self.error = jnp.abs(residual).max()  # expect: JIT204 @error
        return jnp.mean(residual**2)

    def _step(self, params, person, film, stars):
        loss, gradient = jax.value_and_grad(self._loss)(params, person, film, stars)
        self.tracker.record("loss", loss)
        return jax.tree.map(lambda p, g: p - 0.5 * g, params, gradient), loss

    def _evaluate(self, params, person, film, stars):
        residual = self._predict(params, person, film) - stars
        warn_about(residual.mean())
        metrics = {}
        metrics["mse"] = jnp.mean(residual**2)
        metrics["mae"] = jnp.mean(jnp.abs(residual))
        return metrics

    def fit(self, person, film, stars, epochs=3):
        curve = []
        for _ in range(epochs):
            self.params, loss = self.step(self.params, person, film, stars)
            curve.append(float(loss))
        return curve

    def top(self, person, count):
        rank = jax.jit(lambda p: jax.lax.top_k(p["films"] @ p["people"][person], count)[1])  # expect: JIT303 @top
        return rank(self.params)


def present(model):
    """The table on the front page: favourites of two test viewers."""
    print("first viewer:", model.top(0, 3))
    print("second viewer:", model.top(1, 3))
    print("long list:", model.top(0, 5))
