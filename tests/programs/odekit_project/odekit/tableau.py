"""Butcher tableaus, kept as plain tuples of floats."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Tableau:
    nodes: tuple
    rows: tuple
    weights: tuple
    embedded: tuple | None = None

    @property
    def adaptive(self):
        return self.embedded is not None


TABLEAUS = {
    "heun": Tableau((0.0, 1.0), ((), (1.0,)), (0.5, 0.5), (1.0, 0.0)),
    "midpoint": Tableau((0.0, 0.5), ((), (0.5,)), (0.0, 1.0)),
}


def stages(field, tableau, t, y, h):
    """The slopes of one step; the loops run over the tableau's numbers."""
    slopes = []
    for node, row in zip(tableau.nodes, tableau.rows):
        inner = y
        for coefficient, slope in zip(row, slopes):
            if coefficient != 0.0:
                inner = inner + h * coefficient * slope
        slopes.append(field(t + node * h, inner))
    return slopes


def combine(y, h, weights, slopes):
    return y + h * sum(w * k for w, k in zip(weights, slopes) if w)
