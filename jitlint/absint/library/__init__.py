"""What functions outside the project do: builtins, containers, NumPy, JAX, Optax."""
