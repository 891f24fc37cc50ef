"""Rules: what deserves a report, and how it is said.

A rule sees events of the interpreter and never a tree.
"""
