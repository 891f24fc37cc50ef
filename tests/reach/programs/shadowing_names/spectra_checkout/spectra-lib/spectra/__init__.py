"""Spectra of stars."""
