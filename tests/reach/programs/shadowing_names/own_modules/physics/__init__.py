"""Mechanics, with modules that are called like those of the standard library."""
