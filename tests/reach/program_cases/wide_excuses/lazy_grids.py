import lazy_grids as m

from tools.observation import printed

HOSTILE = {}
INNOCENT = [lambda: printed(m.main)]
