import bakery_scheduler as m

from tools.observation import printed

HOSTILE = {}
INNOCENT = [lambda: printed(m.main)]
