"""Which mesh is in use, per thread: a stack that is empty until someone enters a mesh."""

import contextlib
import dataclasses
import threading


@dataclasses.dataclass(frozen=True)
class Mesh:
    """Names and sizes of the axes."""

    axes: tuple

    def size(self, name):
        return dict(self.axes)[name]


class _State(threading.local):
    def __init__(self):
        self.stack = []


_state = _State()
_default = None


def current():
    """The innermost mesh."""
    if not _state.stack:
        raise RuntimeError("no mesh is in use; enter one with `use_mesh`")
    return _state.stack[-1]


def default():
    """The mesh of the whole process."""
    if _default is None:
        raise RuntimeError("call `set_default` first")
    return _default


def set_default(mesh):
    global _default
    _default = mesh


@contextlib.contextmanager
def use_mesh(mesh):
    """Make a mesh the current one."""
    _state.stack.append(mesh)
    try:
        yield mesh
    finally:
        _state.stack.pop()
