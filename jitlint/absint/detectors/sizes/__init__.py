"""Whether the size of what an expression gives is another one in every turn of a loop."""
