"""The exit codes of every command."""

OK = 0
FOUND = 1
FAILED = 2
#: as a shell says of a program that an interrupt ended
INTERRUPTED = 130
