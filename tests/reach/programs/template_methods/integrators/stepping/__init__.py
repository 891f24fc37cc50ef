"""Fixed-step integrators behind one interface."""

from stepping.base import Integrator
from stepping.schemes import AdaptiveHeun, CountingEuler, Euler, Leapfrog, RecordingMidpoint

__all__ = ["AdaptiveHeun", "CountingEuler", "Euler", "Integrator", "Leapfrog", "RecordingMidpoint"]
