"""What running under JAX has shown already: see ``tools.observed.kept``."""
