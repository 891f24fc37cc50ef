"""Ridge regression: cross-validation over folds and penalties."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def solve(xs, ys, penalty):
    gram = xs.T @ xs + penalty * jnp.eye(xs.shape[1])
    return jnp.linalg.solve(gram, xs.T @ ys)


class Standardiser:
    """Subtracts means and divides by deviations."""

    def __init__(self, xs):
        self.mean = xs.mean(axis=0)
        self.deviation = xs.std(axis=0)

    @jax.jit  # expect: JIT309 @forward
    def forward(self, xs):
        return (xs - self.mean) / self.deviation

    def backward(self, zs):
        return zs * self.deviation + self.mean


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Scaler:
    """The same as a pytree."""

    mean: jax.Array
    deviation: jax.Array

    @jax.jit
    def forward(self, xs):
        return (xs - self.mean) / self.deviation


class FoldModel:
    """Weights of one fold."""

    def __init__(self, penalty, degree=2):
        self.penalty = penalty
        self.degree = degree
        self.weights = None

    @partial(jax.jit, static_argnums=0)
    def features(self, xs):
        columns = [jnp.ones(xs.shape[0])]
        for power in range(1, self.degree + 1):
            columns.extend((xs**power).T)
        return jnp.stack(columns, axis=1)

    def predict(self, xs):
        return self.features(xs) @ self.weights

    predict_fast = jax.jit(predict)  # expect: JIT309 @fast

    def fit(self, xs, ys):
        self.weights = solve(self.features(xs), ys, self.penalty)
        return self


def holdout_error(train, test, degree, penalty):
    """Error on the test half after a fit on the other."""

    def error(train, test):
        model = FoldModel(penalty, degree)
        weights = solve(model.features(train[0]), train[1], penalty)
        return jnp.mean((model.features(test[0]) @ weights - test[1]) ** 2)

    return jax.jit(error)(train, test)  # expect: JIT303 @error


def halves_agree(first, second):
    """Two-fold cross-validation for a line against a parabola."""
    line = holdout_error(first, second, 1, 0.1) + holdout_error(second, first, 1, 0.1)
    curve = holdout_error(first, second, 2, 0.1) + holdout_error(second, first, 2, 0.1)
    return float(line - curve)


def make_solver(fixed=True):
    """A compiled solver; with ``fixed`` the penalty is a constant."""
    if fixed:
        return jax.jit(solve, static_argnums=3)  # expect: JIT305 @position
    return jax.jit(solve)


def path(xs, ys, penalties):
    """Weights for every penalty."""
    solver = make_solver(fixed=False)
    return np.stack([solver(xs, ys, penalty) for penalty in penalties])


def leave_one_out(xs, ys, penalty):
    """Residual of each sample when it is left out."""
    residuals = []
    left = len(ys)
    while left > 0:
        left -= 1
        keep = np.arange(len(ys)) != left
        predict = jax.jit(lambda x: x @ solve(xs[keep], ys[keep], penalty))  # expect: JIT301 @left
        residuals.append(float(ys[left] - predict(xs[left])))
    return np.array(residuals)


def main():
    rng = np.random.default_rng(0)
    xs = rng.normal(size=(10, 2)).astype(np.float32)
    ys = xs[:, 0] - 2 * xs[:, 1] ** 2
    scaled = Scaler(xs.mean(axis=0), xs.std(axis=0)).forward(xs)
    print(path(scaled, ys, (0.1, 1.0, 10.0)), leave_one_out(xs, ys, 0.5))
    print(halves_agree((xs[:5], ys[:5]), (xs[5:], ys[5:])))
    model = FoldModel(0.1).fit(xs, ys)
    print(model.predict(xs) - model.predict_fast(xs), Standardiser(xs).forward(xs))


if __name__ == "__main__":
    main()
