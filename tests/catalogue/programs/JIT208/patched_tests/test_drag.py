from unittest import mock

import drag


def test_air():
    assert abs(float(drag.drag(2.0)) - 1.2) < 1e-6


def test_vacuum(monkeypatch):
    monkeypatch.setattr(drag, "RHO", 0.0)
    drag.drag.clear_cache()
    assert float(drag.drag(2.0)) == 0.0


def test_plate():
    with mock.patch.object(drag, "AREA", 1.0):
        drag.drag.clear_cache()
        assert abs(float(drag.drag(2.0)) - 2.4) < 1e-6
    drag.drag.clear_cache()
