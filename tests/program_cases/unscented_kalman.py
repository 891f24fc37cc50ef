import jax.numpy as jnp
import tracking as t

N = t.Noise(0.01 * jnp.eye(4), 0.1 * jnp.eye(2))
R = jnp.array([[1.4, 0.8], [1.5, 0.8]])
HOSTILE = {
    "reach": lambda: t.make_filter(t.Sonar(3.0), N)(t.start(), R[:, :1]),
    "gate": lambda: t.make_filter(t.Radar(), N, gate=9.0)(t.start(), R),
    "diagonal": lambda: t.make_filter(t.Radar(), N, check=True)(t.start(), R),
    "lag": lambda: t.smooth_gain(t.start(), 2),
    "det": lambda: t.log_determinant(t.start()),
}
EXPECT = {
    "reach": ("TracerBoolConversionError",),
    "gate": ("TracerBoolConversionError",),
    "diagonal": ("TracerBoolConversionError",),
    "lag": ("IndexError",),
    "det": ("TracerArrayConversionError",),
}
INNOCENT = [
    lambda: t.make_filter(t.Radar(), N)(t.start(), R),
    lambda: t.innovation_report(t.start()),
    lambda: t.correct(t.start(), t.Radar(), R[0], N, gate=9.0),
    lambda: t.symmetrise(t.start(), check=True),
]
