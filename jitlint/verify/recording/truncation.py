"""What JAX says when it is asked for a dtype that it does not have without x64.

Runs in a child process only.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from types import SimpleNamespace
from typing import Any

from jitlint.verify.recording.recorder import Recorder

_BEGINNING = "Explicitly requested dtype"


def install(recorder: Recorder) -> None:
    """Tell a recorder of such warnings, also of those that the user's code does not show.

    Args:
      recorder: has the run at hand, and the places of the user's code.
    """
    module = sys.modules.get("jax._src.dtypes")
    if module is None:
        return

    def warn(message: str, *args: Any, **kwargs: Any) -> None:
        frame = recorder.places.innermost_frame(sys._getframe(1))
        if message.startswith(_BEGINNING) and frame is not None:
            place = (frame.f_code.co_filename, frame.f_lineno)
            recorder.run.truncated.setdefault(place, message.partition(". ")[0])
            if recorder.places.calls_jax(frame, sys._getframe(1)):
                recorder.run.asked_directly.add(place)
        with contextlib.suppress(KeyError):
            kwargs["stacklevel"] += 1
        warnings.warn(message, *args, **kwargs)

    # Only what JAX calls is replaced: the program may filter warnings as it likes.
    module.warnings = SimpleNamespace(**{**vars(warnings), "warn": warn})  # type: ignore[attr-defined]
