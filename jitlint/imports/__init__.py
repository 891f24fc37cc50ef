"""Who may import whom, told from texts alone."""
