import pytest

import drag
import test_drag


def vacuum():
    with pytest.MonkeyPatch.context() as patch:
        test_drag.test_vacuum(patch)
    drag.drag.clear_cache()


HOSTILE = {}
INNOCENT = [test_drag.test_air, vacuum, test_drag.test_plate]
