"""What a trace does to the world outside, or fails to do: leaks, lost and single changes."""
