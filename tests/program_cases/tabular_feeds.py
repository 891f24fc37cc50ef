import tempfile
from pathlib import Path

import autoencode
import feeds

from tools.observation import compilations, is_tracer


def fits():
    path = Path(tempfile.mkdtemp()) / "log.txt"
    autoencode.fit("iris", log_path=path)
    assert len(path.read_text().splitlines()) == 6
    assert not is_tracer(autoencode.RUNS[-1]["basis"])
    assert compilations(lambda: autoencode.fit("iris")) == 0
    assert feeds._served == 2 and len(feeds.CACHE) == 1


INNOCENT = [fits]
HOSTILE = {}
