import spam_words as m

from tools.observation import compilations, is_tracer

MESSAGES = ["win money now", "lunch at noon", "win a prize", "see you at the lab"]
LABELS = [1, 0, 1, 0]


def trains():
    params, history = m.train(MESSAGES, LABELS)
    assert len(history.rows) == 6
    assert not is_tracer(params)
    assert compilations(lambda: m.train(MESSAGES, LABELS)) == 0


def judges():
    params, _ = m.train(MESSAGES, LABELS)
    assert len(m.judge(params, MESSAGES, "report.txt")) == len(MESSAGES)


INNOCENT = [trains, judges]
