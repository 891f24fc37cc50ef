"""Programs written in another way that does the same: faults in them stay, and so do innocents.

``python -m benchmarks.refactorings`` writes our fixtures and programs in each way that is listed
(:mod:`benchmarks.refactorings.kinds`), one at a time, and tells which labels are lost, and
what is reported beside them.
"""
