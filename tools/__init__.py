"""What only developers of jitlint run, from a checkout: ``python -m tools.…``."""
