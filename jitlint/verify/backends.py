"""Which backends to verify on, of those that JAX itself sees in a child."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jitlint.verify.server_process import ServerProcess

CPU = "cpu"
#: kinds of backends that have several names, as JAX has them
_KINDS = {"gpu": ("cuda", "rocm", "oneapi")}


@dataclass(frozen=True)
class Backends:
    """The backends to verify on.

    Args:
      names: by which JAX knows them, the CPU first.
      absent: one line for each that was asked for and is not there.
      trouble: why JAX could not say what there is; None if it could.
    """

    names: Sequence[str]
    absent: Sequence[str] = ()
    trouble: str | None = None


def choose(asked: Sequence[str] | None, server: ServerProcess | None) -> Backends:
    """Find the backends to verify on.

    Args:
      asked: the names that the user gives, ``gpu`` among them for whichever there is; None for all
        that JAX sees, of which the CPU always is one.
      server: asks JAX; None where nobody has to.
    """
    if server is None or not must_ask(asked):
        return Backends([CPU])
    seen, trouble = _seen(server)
    if asked is None:
        return Backends([CPU, *(name for name in seen if name != CPU)], (), trouble)
    found: dict[str, None] = {}
    absent = []
    for name in asked:
        kind = [
            known for known, its in seen.items() if known in _KINDS.get(name, ()) or its == name
        ]
        meant = [name] if name in seen else kind
        found.update(dict.fromkeys(meant))
        if not meant:
            there = ", ".join(seen) or "nothing"
            absent.append(f"there is no backend {name}: JAX sees {there}")
    return Backends(sorted(found, key=lambda name: name != CPU), absent, trouble)


def must_ask(asked: Sequence[str] | None) -> bool:
    """Whether JAX has to say which backends there are."""
    return asked is None or any(name != CPU for name in asked)


def _seen(server: ServerProcess) -> tuple[dict[str, str], str | None]:
    """The backends, each with its kind; and why there are none, if JAX fails."""
    said = server.backends()
    if not said:
        # JAX cannot be imported: whoever is to run something will say so.
        return {CPU: CPU}, None
    if said["backends"] is not None:
        return dict(said["backends"]), None
    if said["trouble"] is None:
        return {CPU: CPU}, "asking JAX for its backends takes too long: only the CPU is used"
    trouble = "JAX cannot say which backends there are, so only the CPU is used"
    return {CPU: CPU}, f"{trouble}: {said['trouble']}"
