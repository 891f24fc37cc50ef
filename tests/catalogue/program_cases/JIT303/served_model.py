import service

from tools.harm import compiled


def requests():
    texts = [[1.0, 0.0, 0.0]]
    service.service.add(texts)
    service.service.search(texts)
    service.service.search(texts)


HOSTILE = {}
SILENT = {"embed": lambda: compiled(requests, "embed") == 3}
