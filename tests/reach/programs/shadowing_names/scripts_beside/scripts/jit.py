"""Called like a function of JAX, and a script like any other."""

import random
import sys


def vmap(function):
    return [function(value) for value in range(3)]


if __name__ == "__main__":
    print(vmap(lambda x: x if x > random.random() else 0), file=sys.stderr)
