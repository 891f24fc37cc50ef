"""What the user chose: the configuration that holds for a project, and the rules it selects."""
