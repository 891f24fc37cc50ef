import settings_records as m

from tools.observation import printed

HOSTILE = {}
INNOCENT = [lambda: printed(m.main)]
