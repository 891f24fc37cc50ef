import ecg_denoiser_nnx as p
import jax.numpy as jnp

from tools.observation import compilations, is_tracer, printed

BATCH = jnp.linspace(-1.0, 1.0, 24).reshape(3, 8)


def steps(count, width=8):
    model, optimizer, metrics = p.build(width, 4)
    return [p.train_step(model, optimizer, metrics, BATCH[:, :width]) for _ in range(count)]


def noise_repeats():
    model, _, _ = p.build(8, 4)
    draws = []
    original = p.np.random.normal
    p.np.random.normal = lambda **k: draws.append(1) or original(**k)
    try:
        p.train_step.clear_cache() if hasattr(p.train_step, "clear_cache") else None
        steps(3, width=7)
    finally:
        p.np.random.normal = original
    return len(draws) == 1


def losses_kept():
    p._LOSSES.clear()
    steps(3, width=6)
    return len(p._LOSSES) == 1 and is_tracer(p._LOSSES)


def shown_once():
    text = printed(lambda: steps(3, width=5))
    return text.count("reconstruction") == 1 and "Tracer" in text


def gains_compile():
    model, _, _ = p.build(8, 4)
    p.compare_gains(model, BATCH, (1.0,))
    return compilations(lambda: p.compare_gains(model, BATCH, (1.0, 1.0, 1.0))) >= 3


def fits():
    model, curve = p.fit([BATCH, BATCH, BATCH])
    assert len(curve) == 3
    assert float(model.scale[...]) != 1.0
    assert not is_tracer(model.scale[...])


HOSTILE = {}
EXPECT = {}
SILENT = {
    "noise": noise_repeats,
    "losses": losses_kept,
    "shown": shown_once,
    "gains": gains_compile,
}
INNOCENT = [fits]
