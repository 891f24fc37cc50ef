"""The code as written: units of source as trees, functions, parameters and places in them.

``declarations``, ``registration`` and ``bare_classes`` read what headers and bodies of classes and
headers of functions say, out of the index's ``ast``; all else are questions to libcst's trees.
Names stay as they are written.
"""
