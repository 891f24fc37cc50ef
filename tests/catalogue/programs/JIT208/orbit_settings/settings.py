"""Numbers that everything shares."""

DT = 0.05
DAMPING = 0.0
GRAVITY = 1.0
