"""Family JIT1: Python needs a value that does not exist yet."""
