"""Random edits of projects, and whether jitlint says after each what a cold run says.

A *kind* of edit is a function of the files of a project, by which anything may be done to them that
people, version control and formatters do.  ``python -m benchmarks.edits`` makes edits of all kinds
one after another, and asks the command and the server after each; ``tests/cache`` does so shortly.
"""
