"""Train a tiny language model from the command line."""
