"""What Python's syntax does, one module a kind of it.

Importing a module registers its rules in the tables of :mod:`jitlint.absint.machine.verbs`: what a
node of a class gives or does (``@evaluates``, ``@executes``), and what Python does with a value of
a class (``@truth_of``, ``@attributes_of``, ``@calls_of``).  What operators do with values is a room
of its own below this one.

- Statements: ``statements`` runs blocks and all that holds no other; ``branches``, ``loops``,
  ``exceptions``, ``contexts`` and ``patterns`` are ``if``, ``for`` and ``while``, ``try``, ``with``
  and ``match``.  ``partitions`` keeps the outcomes of a test apart that decides twice.
- Expressions: ``displays`` (comprehensions too), ``functions``, ``calls``, ``attributes``, and
  ``expressions`` for the rest; ``truth`` is what tests ask.
- Names: ``assignment`` and ``parameters`` bind them, ``namespaces`` binds through ``vars()``, and
  ``narrowing`` knows what a test tells of them.
"""
