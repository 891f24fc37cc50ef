"""What the user's code may touch while it runs: a copy of its project, and nothing else.

Nothing here knows what is run, or why.
"""
