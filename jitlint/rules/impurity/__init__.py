"""Family JIT2: what Python does while tracing, which the compiled function does not do again."""
