"""A small arena for controllers."""
