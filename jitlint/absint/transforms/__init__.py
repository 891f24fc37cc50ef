"""What JAX does with functions: wrapping, control flow, derivatives; calls of what they gave."""
