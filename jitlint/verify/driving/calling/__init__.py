"""What of the user's code can be called, and what with.

Runs in a child process only.
"""
