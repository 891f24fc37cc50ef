import io
import render
import shapes
from tools.observation import compilations

LIGHT = render.jnp.array([0.5, 0.7, -0.5])


def film():
    before = len(shapes._made)
    assert render.animate(render.SCENE, out=io.StringIO()).shape == (3, 6, 6)
    assert len(shapes._made) - before == 2


def once():
    made = render.renderer(shapes.build(render.SCENE), LIGHT)
    made(render.camera(6, 0.0))
    rays = [render.camera(6, 0.1), render.camera(6, 0.2)]
    assert compilations(lambda: [made(ray) for ray in rays]) == 0


INNOCENT = [film, once]
