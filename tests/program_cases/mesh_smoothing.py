import jax.numpy as jnp
from tools.observation import compilations, is_tracer
from mesh_smoothing import mesh, smooth

V = mesh.vertices()


def cached():
    smooth.smooth(V, mesh.TRIANGLES)
    return is_tracer(list(smooth._laplacians.values()))


def once():
    smooth.pin_base(V)
    assert compilations(lambda: [smooth.pin_base(V) for _ in range(3)]) == 0


HOSTILE = {
    "axis": lambda: smooth.lifted(V, 2.0),
    "measure": lambda: smooth.area_quality(V),
    "tip": lambda: smooth.pin_tip(V),
}
EXPECT = {"axis": ("TypeError",), "measure": ("TypeError",), "tip": ("ValueError",)}
SILENT = {"cached": cached, "pressed": lambda: bool(jnp.array_equal(smooth.flattened(V), V))}
INNOCENT = [once, lambda: smooth.raised(V, 1.0), lambda: smooth.area_ratio(V)]
