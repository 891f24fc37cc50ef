"""What is compiled again and again, for nothing, too large, or with arguments it cannot take."""
