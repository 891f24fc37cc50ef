"""What the names, imports, classes and annotations of a project stand for."""
