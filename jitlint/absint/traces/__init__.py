"""A trace: what a function is given under a transform, running it, and what comes out.

From the bottom up; each module imports those above it alone:

==============  ================================================================================
``kinds``       how the entry points of each kind are called: the table that ``transforms`` fills
``options``     what the options of a transform declare static
``positions``   which arguments a transform traces, and along which axes
``opaque``      what comes out of a trace of which nothing is known
``operands``    what the body of control flow is given, and what is made of its results
``donation``    which arguments a call gives away
``listing``     what is traced, for ``jitlint traced``
``conversion``  what the arguments of a call become
``running``     one trace, from its arguments to its result
==============  ================================================================================
"""
