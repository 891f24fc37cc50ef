"""Family JIT4: what is measured, and how exactly is computed."""
