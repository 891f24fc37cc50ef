"""Fixes shown to leave a program what it was, by running it with and without them.

All of it runs in child processes only.
"""
