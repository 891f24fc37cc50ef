import jax.numpy as jnp
import optax

import monitor
import train
import transforms

from tools.observation import compilations, is_tracer

XS = jnp.arange(12.0).reshape(4, 3) / 12
YS = XS.sum(axis=1)
PARAMS = {"hidden": jnp.eye(3), "out": jnp.ones(3)}


def clipped():
    return train.fit(optax.chain(transforms.clip_and_tell(1.0), optax.sgd(0.1)), XS, YS)


def dropped_once():
    optimizer = transforms.clip_and_tell(1.0)
    params, state = train.start(optimizer)
    step = train.make_step(optimizer)
    for _ in range(3):
        monitor.by_layer["frozen0"] = 1.0
        params, state = step(params, state, XS, YS)
    return "frozen0" in monitor.by_layer


def norm_leaks():
    clipped()
    return is_tracer(monitor.last_norm)


def layer_leaks():
    clipped()
    return is_tracer(monitor.Layer.latest)


def series_leaks():
    monitor.reset()
    train.fit(optax.sgd(0.1), XS, YS, objective=train.watched_loss)
    return len(monitor.series) == 1 and is_tracer(monitor.series)


def residual_leaks():
    train.log.clear()
    train.slope_report(PARAMS, XS, YS)
    return is_tracer(train.log)


def watching():
    optimizer = optax.chain(transforms.watch(), optax.adam(0.01))
    params, state = train.fit(optimizer, XS, YS)
    assert int(state[0].count) == 4 and not is_tracer((params, state))


def one_compilation():
    optimizer = optax.sgd(0.1)
    train.fit(optimizer, XS, YS)
    params, state = train.start(optimizer)
    step = train.make_step(optimizer)
    params, state = step(params, state, XS, YS)
    assert compilations(lambda: step(params, state, XS, YS)) == 0


SILENT = {
    "dropped": dropped_once,
    "layer": layer_leaks,
    "norm": norm_leaks,
    "series": series_leaks,
    "residual": residual_leaks,
}
INNOCENT = [watching, one_compilation, monitor.reset]
