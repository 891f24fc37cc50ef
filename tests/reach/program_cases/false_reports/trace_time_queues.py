import trace_time_queues as m

from tools.observation import printed

HOSTILE = {}
INNOCENT = [lambda: printed(m.main)]
