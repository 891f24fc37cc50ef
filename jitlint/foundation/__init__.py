"""What Python and the operating system offer, made fast and safe: nothing here knows of linting."""
