import anomaly
import jax.numpy as jnp
import transfer
from tools.observation import compilations

TRACK = jnp.arange(4.0) + 1
transfer.synodic(1.0, 1.5)
transfer.sensitivities([1.5])


def quiet():
    assert compilations(lambda: transfer.sensitivities([2.0, 3.0, 4.0])) == 0


HOSTILE = {
    "planets": lambda: transfer.almanac(0.2),
    "method": lambda: transfer.true_position(0.2, 0.1),
}
EXPECT = {"planets": ("ValueError",), "method": ("TypeError",)}
SILENT = {
    "transit": lambda: bool(
        jnp.array_equal(anomaly.clear_transit(TRACK, 1), TRACK - TRACK.mean())
    ),
    "slope": lambda: compilations(lambda: transfer.sensitivity_table([2.0, 3.0, 4.0])) == 3,
    "law": lambda: compilations(lambda: transfer.synodic(1.0, 1.5)) >= 2,
}
INNOCENT = [quiet, lambda: transfer.small_almanac(0.2), lambda: transfer.delta_v(2.0)]
