"""What the text of a module says by itself, for the interpreter: rules over subjects."""
