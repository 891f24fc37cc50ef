import schedule

from tools.harm import compiled

HOSTILE = {}
SILENT = {"rate": lambda: compiled(schedule.train, "make_step") == 4}
