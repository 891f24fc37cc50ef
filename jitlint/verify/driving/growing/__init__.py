"""Inputs that grow: from placeholders that tell what is asked of them, and from JAX's errors.

A function is called with placeholders.  What it does with them says what they stand for: a mapping
with certain keys, an object, a sequence, an array.  Arrays get sizes that occur once, so that every
message and every array in a traceback shows which dimension of which input it is about; the sizes
that have to agree are made one, and the call is repeated until it comes to the reported place.
"""
