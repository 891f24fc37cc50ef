"""What NumPy, JAX, and the frameworks on it do.

``calls`` finds who answers for a call from outside the project; the answers are models, registered
as those of the standard library are: ``attributes``, ``arrays``, ``pytrees``, ``primitives``,
``random_keys``; what only a table knows: ``facts``, ``results``; ``frameworks``: Flax, Equinox,
Haiku, Optax; and what is called next to them: ``clocks``, ``host_objects``.
"""
