import time

import jax


class Timer:
    """Waits for what it is given."""

    def __enter__(self):
        self.start = time.perf_counter()
        self.result = None
        return self

    def wait_for(self, result):
        self.result = jax.block_until_ready(result)
        return result

    def __exit__(self, *exception):
        self.seconds = time.perf_counter() - self.start


def timed(function):
    def wrapper(*args):
        start = time.perf_counter()
        result = jax.block_until_ready(function(*args))
        wrapper.seconds = time.perf_counter() - start
        return result

    return wrapper
