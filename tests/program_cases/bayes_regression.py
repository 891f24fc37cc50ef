import bayes_regression as br
import jax.numpy as jnp
from tools.observation import compilations

X = jnp.linspace(-1, 1, 12)
Y = X**2


def counted():
    assert br.check_gradient(X, Y)[1] == {"evidence": 3}


def cached():
    br.choose_degree(X, Y)
    assert compilations(lambda: br.choose_degree(X, Y)) == 0


INNOCENT = [counted, cached, lambda: br.tune(X, Y, 2), br.main]
