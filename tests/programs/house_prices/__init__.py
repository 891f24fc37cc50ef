"""Ridge regression on house prices."""
