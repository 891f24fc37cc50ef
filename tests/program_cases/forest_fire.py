import tempfile

import forest_fire

from tools.observation import printed

HOSTILE = {}


def simulated():
    results = []
    text = printed(lambda: results.append(forest_fire.simulate(tempfile.mkdtemp())))
    album, burning = results[0]
    assert album.count == 6 and len(burning) == 6 and text.count("kept") == 6


INNOCENT = [simulated]
