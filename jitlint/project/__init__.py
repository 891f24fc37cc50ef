"""What the project defines and imports, found cheaply with ``ast``; no JAX knowledge."""
