"""The command line: what can be asked, what is told, and the exit code that answers."""
