"""What Python's operators and protocols do with values, one module a kind of them.

``arithmetic``, ``comparison`` (with ``identity`` for ``is``), ``subscripts``, ``iteration``,
``hashing`` and ``types`` (what ``isinstance`` asks); ``strings`` shows values as text, and
``operators`` names Python's operators.

As with syntax, importing a module registers what it does with values of a class in the tables of
:mod:`jitlint.absint.machine.verbs` (``@iterations_of``, ``@items_of``).
"""
