import skipgram

from tools.observation import compilations, is_tracer, printed

HOSTILE = {}
text = "the cat sat on the mat and the dog sat on the rug while the cat slept"


def trained():
    made = []
    printed(lambda: made.append(skipgram.train(text)))
    vocabulary, params = made[0]
    assert skipgram.learn.calls >= 4 and not is_tracer(vars(skipgram.learn)["seconds"])
    assert skipgram.neighbours(vocabulary, params, ["cat", "dog"])
    assert compilations(lambda: printed(lambda: skipgram.train(text))) == 0


INNOCENT = [trained]
