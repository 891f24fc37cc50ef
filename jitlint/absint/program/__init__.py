"""What the classes of a project are, what their members are, and what names stand for.

From the bottom up; each module imports those above it alone:

====================  ==========================================================================
``class_decorators``  decorators of the project that make dataclasses or pytrees
``classes``           what a class is: bases, kind, fields, pytree
``hooks``             what decorators, metaclasses and bases do to classes and their objects
``frozen``            objects whose attributes nobody sets once they are made
``forgetting``        what is not known any more: the one place that takes away
``confinement``       classes whose objects never leave the functions that make them
``subclasses``        classes below a class, and where they differ
``pytrees``           classes whose instances are certainly no pytrees
``fields``            objects as containers of what they hold
``hashing``           what has no hash
``class_inference``   which class an object is of, by the names used on it
``chex_tests``        what ``self.variant`` is in tests of Chex
``members``           attributes of classes and instances, looked up and bound
``setting``           attributes that are set: what is called, and what is held afterwards
``special_methods``   what Python calls for operators and builtins
``captures``          what a trace reads of names and objects that are older than it
``scopes``            what a name stands for where code runs
``signatures``        the parameters of a callable, under its wrappers
====================  ==========================================================================
"""
