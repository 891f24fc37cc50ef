"""Root finding: bracketing and open methods behind one function."""

from roots.bracketing import bisect
from roots.open import halley, newton
from roots.options import Options
from roots.report import Outcome, polynomial_roots

METHODS = {"newton": newton, "halley": halley, "bisect": bisect}


def find_root(function, guess, method="newton", options=None):
    options = options or Options()
    return METHODS[method](function, guess, options)
