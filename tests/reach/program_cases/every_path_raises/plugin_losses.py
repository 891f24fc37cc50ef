import plugin_losses as m

from tools.observation import printed

HOSTILE = {}
INNOCENT = [lambda: printed(m.main)]
