"""What Python's builtins and standard library do.

Models are registered by name in ``registry``: ``concretization`` (numbers, truth, order),
``inspection`` (types, attributes), ``iteration``, ``constructors``, ``containers`` and ``strings``
(methods), ``functional``, ``single_dispatch``, ``heaps``, ``expectations``; ``extents`` tells how
large things are.
"""
