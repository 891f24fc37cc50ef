import orrery_struct as p

from tools.observation import is_tracer


def shows():
    drawn, energies, momentum = p.show(p.inner_planets())
    assert len(drawn) == 2 and set(energies) == {"kinetic", "potential", "total"}
    assert not is_tracer((drawn, energies, momentum))


INNOCENT = [shows]
HOSTILE = {}
