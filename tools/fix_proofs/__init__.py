"""What the fixes of our own programs do to them: each is run as it was, and fixed."""
