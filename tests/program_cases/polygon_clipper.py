import jax
import polygon_clipper as pc
from tools.observation import compilations, printed


def loud():
    text = printed(lambda: [jax.grad(pc.loud_perimeter)(pc.regular(5)) for _ in range(3)])
    assert text.count("sides") == 3


def cached():
    p = pc.regular(7)
    pc.compiled_area(7)(p)
    assert compilations(lambda: [pc.compiled_area(7)(p) for _ in range(3)]) == 0


INNOCENT = [loud, cached, pc.main]
