import refs


def carried_out():
    calls, total, _ = refs.main()
    assert calls == 3 and total.tolist() == [3.0, 3.0]


HOSTILE = {}
INNOCENT = [carried_out]
