import jax
import numpy as np

import journal
import model
import run
from trainer import Trainer

from tools.observation import is_tracer, printed


def fitted():
    trainer = Trainer(vocabulary=20)
    printed(lambda: trainer.fit(run.make_batches(4), epochs=2))
    return trainer


def described():
    params = model.init(jax.random.key(0), 20)
    for _ in range(3):
        shapes = model.describe(params, np.ones((2, 20), np.float32))
        assert shapes == {"hidden": (2, 8), "logits": (2, 3)}, shapes


def evaluates():
    trainer = Trainer(vocabulary=20)
    for batch in run.make_batches(3):
        assert not is_tracer(trainer.accuracy(trainer.params, batch))
    assert trainer.journal.rows == []


def host_history():
    trainer = fitted()
    assert trainer.epoch == 2 and len(trainer.host_journal) == 8


def host_journal():
    record = journal.Journal("host")
    for n in range(3):
        record.add("n", n)
    assert len(record.rows) == 3 and record.dump()


SILENT = {
    "rows": lambda: (rows := fitted().journal.rows) and len(rows) == 1 and is_tracer(rows[0][1]),
    "logits": lambda: is_tracer(fitted().last_logits),
    "updates": lambda: fitted().updates == 1,
}
INNOCENT = [described, evaluates, host_history, host_journal]
