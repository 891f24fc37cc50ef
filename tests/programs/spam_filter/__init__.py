"""A small spam filter trained with Optax."""
