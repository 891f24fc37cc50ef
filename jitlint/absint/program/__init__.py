"""What the names, imports, classes and annotations of a project stand for.

**Two trees, one rule.** What is *declared* is read as the index's ``ast`` has it: the headers of
classes and functions, decorators, fields, annotations, aliases, registrations of pytrees.  What
*runs* are libcst's nodes, and libcst parses a unit only to run it, never to read a declaration.
``ast`` is imported by ``code.declarations`` (what is written) and ``annotations`` (what types
mean), and by no other module of the interpreter.  Nested functions stand in both trees in the same
order.

From the bottom up; each module imports those above it alone:

===================  ===========================================================================
``module_code``      the statements of modules and classes, each run once when first needed
``registries``       containers of modules that decorators and statements fill
``names``            what a name of a module stands for
``annotations``      what annotations say of a type
``defaults``         what the defaults of parameters are
``variants``         other values of parameters than their defaults
``classes``          what a class is: bases, kind, fields, pytree; subclass tests
``subclasses``       classes below a class, and where they differ
``pytrees``          classes whose instances are certainly no pytrees
``members``          attributes of classes and instances, looked up and bound
``special_methods``  what Python calls for operators and builtins
``scopes``           what a name stands for where code runs
``evidence``         what a parameter holds, by its annotation and its use
``class_inference``  which class an object is of, by the names used on it
``instances``        instances that nobody visibly makes
``dispatch``         methods and attributes of objects that may be of a subclass
``construction``     what calling a class makes
``traced_values``    what a value becomes as the argument of a traced function
===================  ===========================================================================
"""
