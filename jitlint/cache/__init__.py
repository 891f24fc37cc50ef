"""What one run leaves behind for the next: results, with all that they depend on.

Nothing here decides what is reported.  Whatever cannot be read, is broken or comes from another
version is as good as absent.
"""
