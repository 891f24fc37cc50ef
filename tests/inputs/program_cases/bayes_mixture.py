import bayes_mixture as m
import jax.numpy as jnp

M = {
    "weights": jnp.ones(2) / 2,
    "means": jnp.ones((2, 3)),
    "precisions": jnp.stack([jnp.eye(3)] * 2),
}

HOSTILE = {
    "collapsed": lambda: m.maximise(jnp.ones((5, 3)), M),
}
EXPECT = {
    "collapsed": ("TracerBoolConversionError",),
}
