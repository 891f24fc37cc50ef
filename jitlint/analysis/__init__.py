"""One engine: a project is analysed in parts, of which none depends on what another remembers.

``engine`` is the entry.  The code of all modules is run first; then what starts in each file is
interpreted by itself on top of that (``parts``), here or in another process (``workers``), or taken
from an earlier run (``records``) for as long as it would read the same (``validity``).
``coordinator`` puts the parts together, ``sharing`` says where they are interpreted, ``reports``
turns what they saw into diagnostics.
"""
