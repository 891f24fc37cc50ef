"""Ice that flows."""
