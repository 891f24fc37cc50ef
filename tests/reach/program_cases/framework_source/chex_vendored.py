import walkers as m

HOSTILE = {}
INNOCENT = [m.main]
