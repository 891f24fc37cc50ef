"""Pasted tracebacks: read in any of the forms people paste, and led back to a rule and a line."""
