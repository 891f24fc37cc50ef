import gp
import regress as r

Z = gp.choose_inducing(r.X, 3)
HOSTILE = {
    "prior": lambda: gp.log_evidence(gp.Matern(0.3), r.X, r.Y),
    "factor": lambda: gp.predict(gp.Matern(0.3) * 2.0, r.X, r.Y, r.X[:2]),
    "definite": lambda: gp.Model(gp.Matern(0.3), 0.1, check=True).evaluate(r.X, r.Y, Z),
    "stride": lambda: gp.thinned(r.X, 2),
}
EXPECT = {
    "prior": ("ConcretizationTypeError",),
    "factor": ("TracerBoolConversionError",),
    "definite": ("TracerBoolConversionError",),
    "stride": ("IndexError",),
}
INNOCENT = [
    lambda: r.fit(gp.SquaredExponential(0.3)),
    lambda: r.fit(gp.Matern(0.5, order=0)),
    lambda: gp.predict(gp.Matern(0.5), r.X, r.Y, r.X[:2]),
    lambda: gp.log_evidence(gp.SquaredExponential(0.3), r.X, r.Y),
]
