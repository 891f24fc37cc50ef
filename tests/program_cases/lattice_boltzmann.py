import jax
import lattice_boltzmann
from tools.observation import compilations, is_tracer, printed
from lattice_boltzmann import channel, watch

FLOW = lattice_boltzmann.Channel()


def collide():
    try:
        FLOW.free_collision()
    except TypeError:
        return True
    return False


def mass():
    lattice_boltzmann.Channel().noisy_step(FLOW.rest)
    return is_tracer(watch.totals)


def shown():
    made = lattice_boltzmann.Channel()
    text = printed(lambda: [made.noisy_step(FLOW.rest * k) for k in (1, 2, 3)])
    return text.count("mass") == 1 and "JitTracer" in text


def field():
    made = lattice_boltzmann.Channel()
    made.flow(3)
    return is_tracer(made.snapshot.field)


def talking():
    def three():
        for k in (1, 2, 3):
            FLOW.quiet_step(FLOW.rest * k)
        jax.effects_barrier()

    assert printed(three).count("mass") == 3


channel.drive(FLOW, [0.0])
SILENT = {
    "collide": collide,
    "mass": mass,
    "shown": shown,
    "field": field,
    "force": lambda: compilations(lambda: channel.drive(FLOW, [0.0, 1.0, 2.0])) >= 3,
}
INNOCENT = [talking, lambda: channel.drive_together(FLOW, [0.0, 1.0])]
