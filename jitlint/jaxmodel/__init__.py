"""The model of JAX: tables of what its functions do with traced values, and their lookup."""
