"""What functions outside the project do: builtins, containers, NumPy, JAX's tables, frameworks.

``calls`` finds who answers for a call; the answers are models, registered by name in ``registry``:

* Python: ``concretization`` (numbers, truth, order), ``inspection`` (types, attributes),
  ``iteration``, ``constructors``, ``containers`` and ``strings`` (methods), ``functional``,
  ``single_dispatch``, ``host_objects``;
* arrays: ``attributes``, ``arrays``, ``pytrees``, ``primitives``; what only a table knows:
  ``facts``, ``results``;
* ``frameworks``: Flax, Equinox, Haiku, Optax.
"""
