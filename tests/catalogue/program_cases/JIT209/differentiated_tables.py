import gradients

from tools.observation import is_tracer


def concrete():
    gradients.main()
    assert not is_tracer(gradients.coefficients(4))


HOSTILE = {}
INNOCENT = [concrete]
