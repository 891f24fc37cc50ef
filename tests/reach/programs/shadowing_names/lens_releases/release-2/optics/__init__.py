"""Optics, rewritten: a lens is an array, and its power a setting."""
