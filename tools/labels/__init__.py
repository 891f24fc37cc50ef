"""Labelled programs, and what running them under real JAX says of their labels.

``python -m tools.labels PROGRAM CASES`` runs the cases of one program.
"""
