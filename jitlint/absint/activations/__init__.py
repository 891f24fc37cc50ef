"""Activations: a call runs a function of the project, or recalls what a like one gave.

``likeness`` says which calls are alike, ``summaries`` what came of one, in the terms of another,
``programs`` which functions a call is given to run, and ``activation`` decides and runs.
"""
