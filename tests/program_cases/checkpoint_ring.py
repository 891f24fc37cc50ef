import tempfile

import checkpoint_ring as program

from tools.observation import compilations, is_tracer


def fits():
    with tempfile.TemporaryDirectory() as folder:
        ring, (best, offers), params = program.fit(folder)
        assert ring.saved == 3 and len(ring.paths) == 2 and offers == 6
        assert not is_tracer((best, params)) and sorted(ring.restore()) == ["poly", "shift"]
        assert compilations(lambda: program.fit(folder)) == 0


HOSTILE = {}
INNOCENT = [fits]
