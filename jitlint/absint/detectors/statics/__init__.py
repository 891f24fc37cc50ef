"""What is static of arguments: what cannot be hashed, and what is another one each time."""
