class Schedule:
    def __init__(self):
        self.step = 0
        self.warm = True

    def advance(self):
        self.step += 1
        self.warm = self.step < 2


schedule = Schedule()
