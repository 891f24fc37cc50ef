"""Shows which functions are tools."""


def partial(*args, **kwargs):
    return None


def wraps(function):
    return lambda inner: inner
