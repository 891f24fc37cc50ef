import report_levels as m

from tools.observation import printed

HOSTILE = {}
INNOCENT = [
    m.main,
    lambda: printed(lambda: m.main(("--keep", "-v", "--stop"))),
    lambda: m.main(("--eager",)),
]
