"""A cache of the project's own."""

import functools


def memoized(function):
    cache = {}

    @functools.wraps(function)
    def lookup(*key):
        if key not in cache:
            cache[key] = function(*key)  # expect: JIT202 @store
        return cache[key]

    lookup.cache = cache
    return lookup
