"""The code as written: units of source as trees, functions, parameters and places in them.

``declarations`` and ``registration`` read what headers of classes and functions say, out of the
index's ``ast``; all else are questions to libcst's trees.  Names stay as they are written.
"""
