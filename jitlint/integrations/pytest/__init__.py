"""The pytest plugin: reports as tests, promises about jitted functions, and calls to verify with.

Only ``plugin`` is imported where none of that is asked for.
"""
