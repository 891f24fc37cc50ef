"""Which parts of a project can hold traced functions, and in what order they are interpreted."""
