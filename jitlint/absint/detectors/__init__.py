"""What watches the machine: effects, compilation, idioms."""
