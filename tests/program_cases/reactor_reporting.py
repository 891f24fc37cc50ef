import tempfile
from pathlib import Path

import reactor_reporting as p


def reports():
    path = Path(tempfile.mkdtemp()) / "journal.txt"
    journal = p.Journal(path)
    p.shift(journal, [300.0, 390.0, 300.0])
    assert journal.lines == 12 == len(path.read_text().splitlines())
    assert len(p.readings) == 3
    assert p._alarms >= 4


def fresh_noise():
    run = p.make_run(p.Journal(Path(tempfile.mkdtemp()) / "journal.txt"), 3)
    assert (run(300.0)[1] != run(300.0)[1]).any()


INNOCENT = [reports, fresh_noise]
HOSTILE = {}
