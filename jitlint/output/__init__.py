"""Reports as text: one renderer a format, and the registry that names them."""
