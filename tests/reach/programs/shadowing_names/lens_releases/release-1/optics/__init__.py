"""Optics, as it was."""
