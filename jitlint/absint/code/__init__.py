"""The code as written: units of source as trees, functions, parameters and places in them."""
