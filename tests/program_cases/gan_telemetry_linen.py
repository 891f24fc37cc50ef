import gan
import jax
import jax.numpy as jnp
import networks
import telemetry

from tools.observation import is_tracer

KEY = jax.random.key(0)
REAL = jnp.linspace(0.0, 1.0, 8).reshape(4, 2)


def trained(steps=3):
    telemetry._series.clear()
    model = gan.Gan(KEY)
    return model, model.train(REAL, KEY, steps)


def series():
    trained()
    return len(telemetry._series["critic"]) == 1 and is_tracer(telemetry._series["critic"])


def ordinal():
    seen = telemetry.ordinal.__defaults__[0]
    apply = jax.jit(networks.Generator(width=4).apply)
    params = networks.Generator(width=4).init(KEY, jnp.ones((1, 3)))
    apply(params, jnp.ones((2, 3)))
    seen.clear()
    apply(params, jnp.ones((2, 3)))
    return not seen


def latest():
    trained()
    return is_tracer(telemetry.latest)


def density():
    try:
        gan.likelihood(networks.Mixture(REAL), REAL)
    except TypeError:
        return True
    return False


def hosted():
    _, losses = trained()
    jax.effects_barrier()
    assert not is_tracer(losses)
    assert len(telemetry.tail("critic")) >= 2


def sampler():
    params = networks.Generator().init(KEY, jnp.ones((1, 3)))
    gan.compile_sampler(networks.Generator(), "count")(params, KEY, count=5)


HOSTILE = {
    "squash": lambda: gan.Gan(KEY).smoothness(REAL),
    "sampler": lambda: gan.compile_sampler(networks.Generator()),
    "blend": gan.compile_blend,
}
EXPECT = {"squash": ("TypeError",), "sampler": ("ValueError",), "blend": ("ValueError",)}
SILENT = {
    "series": series,
    "ordinal": ordinal,
    "losses": lambda: is_tracer(trained()[0].critic_loss),
    "latest": latest,
    "density": density,
}
INNOCENT = [hosted, sampler]
