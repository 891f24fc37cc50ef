"""What Python's syntax does: expressions, statements, calls and operations."""
