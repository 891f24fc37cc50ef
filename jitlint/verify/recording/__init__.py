"""What happens at reported places while the user's code runs, recorded from within it.

Modules are instrumented: they tell a probe what they are about to do, and tracers that are asked
for a value tell the recorder.  All of it runs in a child process, except for the plain records.
"""
