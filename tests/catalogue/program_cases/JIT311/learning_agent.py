import agent

from tools.harm import differs_from_eager

HOSTILE = {}
SILENT = {
    "rate": lambda: differs_from_eager(agent.learn),
    "temperature": lambda: differs_from_eager(agent.cooled),
}
