"""Running code under real JAX, always in a child process.

``session`` is the parent's side; ``drive`` is the child's, with ``driving`` and ``recording``.
"""
