"""What the names, imports, classes and annotations of a project stand for.

**Two trees, one rule.** What is declared is read as the index's ``ast`` has it: headers of classes
and functions, decorators, fields, annotations, aliases, registrations of pytrees.  What runs are
libcst's nodes, and a unit becomes one only when it is run: nothing is parsed twice, and nothing is
parsed by libcst to read a declaration.  ``ast`` is imported by ``declarations`` (what is written)
and ``annotations`` (what types mean), and by no other module of the interpreter.

From the bottom up, each module importing only those above it:

- ``declarations``: what headers of classes and functions say.
- ``module_code``: statements of modules and classes, run once when first needed.
- ``registries``: containers of modules that decorators and statements fill.
- ``names``: what a name of a module stands for.
- ``annotations``: what annotations say of a type.
- ``registration``, ``classes``: bases, kind, fields and pytree of a class; subclass tests.
- ``members``: attributes of classes and instances.
- ``scopes``: what a name stands for where code runs.
- ``instances``: instances that nobody visibly makes.
- ``construction``: what calling a class makes.
- ``evidence``: what a parameter holds, by its annotation and its use.
- ``traced_values``: what a value becomes as the argument of a traced function.
"""
