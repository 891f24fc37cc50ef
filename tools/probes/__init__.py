"""The tables of ``jitlint/jaxmodel/data``, measured on the installed JAX and its frameworks.

``python -m tools.probes`` prints in what the tables differ from what the libraries do, and with
``--write`` writes them anew.
"""
