"""What may be known of a value: the abstract domain, its lattice, and the heap."""
