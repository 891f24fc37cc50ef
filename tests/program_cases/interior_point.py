import interior_point as ip
from tools.observation import compilations


def warm():
    ip.solve(*ip.box())
    assert compilations(lambda: ip.solve(*ip.box())) == 0
    assert len(ip.solve(*ip.box())[1].rows) == 6


INNOCENT = [warm, ip.main]
