"""Family JIT4: what is measured, how precise it is, and how large programs become."""
