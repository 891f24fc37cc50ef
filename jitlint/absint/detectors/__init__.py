"""What watches the machine: each detector is told by signals what happens, and emits events.

Nobody imports detectors but the list that puts the interpreter together.  What one notes of a run
it keeps in an object of its own (``it.observations``).
"""
