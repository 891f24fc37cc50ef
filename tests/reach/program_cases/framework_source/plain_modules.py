import digits as m

HOSTILE = {}
INNOCENT = [m.main, lambda: m.main(wide=True)]
