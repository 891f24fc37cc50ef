import scaled_units as m


def said():
    assert m.report(2.0, 3.0) == "moving"
    assert m.report(0.1, 0.0) == "at rest"


HOSTILE = {}
INNOCENT = [said]
