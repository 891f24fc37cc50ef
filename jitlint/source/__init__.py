"""From paths to text: finding files, decoding them, and their suppression comments."""
