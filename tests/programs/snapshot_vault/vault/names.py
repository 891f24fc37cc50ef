"""What a checkpoint is called."""

import datetime
import os
import uuid


def run_label(prefix="run"):
    """A label that no other run has."""
    stamp = datetime.datetime.now().strftime("%H%M%S")
    return f"{prefix}-{stamp}-{uuid.uuid4().hex[:6]}"


def noise_scale():
    """Set by the launcher."""
    return float(os.environ.get("FIT_NOISE", "0.01"))  # expect: JIT207 @environ


def salt():
    return uuid.uuid4().int % 997  # expect: JIT207 @uuid
