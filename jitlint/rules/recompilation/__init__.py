"""Family JIT3: the compilation cache, and what jit asks of its arguments."""
