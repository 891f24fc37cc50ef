"""What a compiled program keeps although it has changed since."""
