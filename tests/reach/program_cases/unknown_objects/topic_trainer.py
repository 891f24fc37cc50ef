import run

from tools.observation import is_tracer, printed


def losses():
    made = run.build(track=True)
    params = made.net.start(run.jax.random.key(0))
    made.train_step(params, run.batch())
    return is_tracer(made.tracker.losses)


def topics():
    made = run.build()
    return made.topics(made.net.start(run.jax.random.key(0)), run.batch()["x"])


HOSTILE = {"topics": topics, "satisfied": lambda: run.main(["hinge"])}
EXPECT = {"topics": ("ConcretizationTypeError",), "satisfied": ("TracerBoolConversionError",)}
SILENT = {"losses": losses}
INNOCENT = [lambda: printed(lambda: run.main([]))]
