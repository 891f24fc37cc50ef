"""What makes the function of one turn or call another program than that of the next."""
