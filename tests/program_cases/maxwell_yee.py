import maxwell_yee
from tools.observation import compilations, is_tracer


def ring():
    run = maxwell_yee.ring(maxwell_yee.Cavity())
    assert len(run.energies) == 3 and run.steps == 24
    assert not is_tracer(run.energies) and not is_tracer(run.fields)
    assert compilations(lambda: run.advance(8)) == 0


INNOCENT = [ring, lambda: maxwell_yee.ring(maxwell_yee.Cavity().refined(), 1).energies]
