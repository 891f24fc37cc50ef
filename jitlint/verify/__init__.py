"""Running code under real JAX, always in a child process."""
