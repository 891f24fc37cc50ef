"""What the classes of a project are, and the objects that are made of them.

From the bottom up; each module imports those above it alone:

===================  ===========================================================================
``classes``          what a class is: bases, kind, fields, pytree; subclass tests
``subclasses``       classes below a class, and where they differ
``pytrees``          classes whose instances are certainly no pytrees
``members``          attributes of classes and instances, looked up and bound
``special_methods``  what Python calls for operators and builtins
``scopes``           what a name stands for where code runs
``class_inference``  which class an object is of, by the names used on it
``instances``        instances that nobody visibly makes
``dispatch``         methods and attributes of objects that may be of a subclass
``construction``     what calling a class makes
``unfollowed``       what calls that nobody looks into may have done to an object
``traced_values``    what a value becomes as the argument of a traced function
===================  ===========================================================================
"""
