"""What the code around a place shows: paths, loops, bindings, what is filled or used later."""
