import main
import training

from tools.harm import compiled, differs_from_eager, readings, spans


def careful():
    assert not differs_from_eager(main.main)
    # Step 0 is a number first and a sum of numbers then: the type is the same.
    assert compiled(main.main, "train_step") == 1
    assert not any(one.pending for one in readings(main.main, main, training)[1::2])
    assert spans(main.main, main)[0] == 0


HOSTILE = {}
INNOCENT = [careful]
