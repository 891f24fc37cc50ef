import guards


def answers():
    found, _ = guards.main()
    assert found[0] > 0.9 and found[1] is None and found[2] == "TypeError"


HOSTILE = {}
INNOCENT = [answers]
