from cli_train import main, text

from tools.observation import compilations, is_tracer, printed


def trains():
    out = []
    printed(lambda: out.extend(main.main(["--steps", "4", "--optimizer", "adam"])))
    assert out[1].shape == (4,) and not is_tracer(out)


def few_compilations():
    run = lambda: printed(lambda: main.main(["--steps", "9"]))
    run()
    assert compilations(run) <= 2


def alphabet():
    letters = text.Alphabet()
    assert letters.encode("abca").tolist() == [0, 1, 2, 0] and len(letters) == 3


HOSTILE = {}
INNOCENT = [trains, few_compilations, alphabet]
