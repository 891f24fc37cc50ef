import gaps
from tools.observation import compilations, is_tracer


def watched():
    survey = gaps.watch()
    assert survey.rounds == 3 and not is_tracer(survey.seen)
    assert compilations(lambda: gaps.watch()) == 0


INNOCENT = [watched]
