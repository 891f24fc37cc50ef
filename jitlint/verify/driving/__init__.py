"""From a job to verdicts: ways to run the user's code, and what its runs prove.

All of it runs in a child process, except for the plain data that the parent writes and reads.
"""
