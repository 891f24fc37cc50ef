"""What JAX does with a function: wrapping, arguments, control flow, derivative rules."""
