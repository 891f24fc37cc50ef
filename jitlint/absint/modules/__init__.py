"""What the names, imports and annotations of modules stand for, and what they tell of parameters.

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
``module_state``     what modules hold, as functions find it
``names``            what a name of a module stands for
``annotations``      what annotations say of a type
``evidence``         what a parameter holds, by its annotation and its use
``defaults``         what the defaults of parameters are
``variants``         other values of parameters than their defaults
===================  ===========================================================================
"""
