"""Fixes applied: which of them go together, what becomes of a file, and which are taken back."""
