"""The code as written: units of source as trees, functions, parameters and places in them.

``declarations``, ``registration``, ``bare_classes`` and ``class_changes`` read what classes and
functions around them say, out of the index's ``ast``; ``replaced_names`` and ``modules_written``
ask what modules say; all else are questions to libcst's trees.
Names stay as they are written.
"""
