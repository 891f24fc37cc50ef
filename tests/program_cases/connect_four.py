from connect_four import play

from tools.observation import compilations, is_tracer, printed

HOSTILE = {}


def matches():
    text = printed(lambda: play.match(1))
    assert text.count("move") == 4 and not is_tracer(play.transcript)
    assert compilations(lambda: printed(lambda: play.match(2))) == 0


INNOCENT = [matches]
