import os
import tempfile
from tools.observation import is_tracer
from schrodinger_split import tunnel


def written():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "peaks.txt")
        recorder = tunnel.tunnel(path)
        with open(path) as stream:
            assert len(stream.readlines()) == 12 == recorder.lines == len(recorder.peaks)
        assert not is_tracer(recorder.peaks)


INNOCENT = [written]
