import either_backend as m

from tools.observation import printed

HOSTILE = {}
INNOCENT = [lambda: printed(m.main)]
