"""What came of code that means the same, and where it stands now.

A whole analysis is recalled for as long as no file means anything else (``whole_runs``); what is
reported moves with its code (``layouts``).
"""
