"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# How long an example takes says more of what else the machine does than of the code.
settings.register_profile("jitlint", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("jitlint")
