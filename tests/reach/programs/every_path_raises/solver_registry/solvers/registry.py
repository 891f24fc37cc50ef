"""Names of solvers."""

_SOLVERS = {}


def register(name):
    """Decorator: make a solver known."""

    def add(solver):
        if name in _SOLVERS:
            raise ValueError(f"there is a solver {name!r} already")
        _SOLVERS[name] = solver
        return solver

    return add


def get(name):
    """The solver of that name."""
    if name not in _SOLVERS:
        raise KeyError(f"no solver {name!r}, only {sorted(_SOLVERS)}")
    return _SOLVERS[name]


def names():
    return sorted(_SOLVERS)
