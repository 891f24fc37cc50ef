STEP = 0.1
LEVELS = 3
SCALE = {"height": 1.0}
