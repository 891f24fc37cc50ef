"""Notes on optimizers."""


def sgd(rate):
    if rate > 1.0:
        raise ValueError("too fast")
    return lambda w, g: w - rate * g
