import lattice_settings as p

from tools.observation import compilations, is_tracer


def runs():
    solver = p.Solver(p.Settings(boundary=p.Boundary.REFLECTING))
    field, totals = solver.run(5.0)
    assert abs(totals[-1] - 5.0) < 1e-3 and not is_tracer(field)
    fresh = lambda: p.Solver(p.Settings(boundary=p.Boundary.REFLECTING)).run(5.0)
    assert compilations(fresh) == 0


INNOCENT = [p.study, runs]
HOSTILE = {}
