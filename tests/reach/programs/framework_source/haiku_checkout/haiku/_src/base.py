"""Parameters and state of the function that runs."""

import threading
from typing import NamedTuple


class _Frames(threading.local):
    def __init__(self):
        super().__init__()
        self.stack = []


_frames = _Frames()


class Frame(NamedTuple):
    params: dict
    state: dict
    frozen: bool


class TransformedWithState(NamedTuple):
    init: object
    apply: object


def current_frame():
    if not _frames.stack:
        raise ValueError("all `hk.Module`s must be initialized inside an `hk.transform`")
    return _frames.stack[-1]


def get_parameter(name, shape, init):
    frame = current_frame()
    if name not in frame.params:
        if frame.frozen:
            raise ValueError(f"unable to retrieve parameter {name!r}")
        frame.params[name] = init(shape)
    return frame.params[name]


def get_state(name, shape=None, init=None):
    frame = current_frame()
    if name not in frame.state:
        if init is None:
            raise ValueError(f"no initial state for {name!r}")
        frame.state[name] = init(shape)
    return frame.state[name]


def set_state(name, value):
    current_frame().state[name] = value


def transform_with_state(f):
    """A function with explicit parameters and state."""

    def run(frame, args, kwargs):
        _frames.stack.append(frame)
        try:
            return f(*args, **kwargs)
        finally:
            _frames.stack.pop()

    def init_fn(rng, *args, **kwargs):
        frame = Frame({}, {}, False)
        run(frame, args, kwargs)
        return frame.params, frame.state

    def apply_fn(params, state, rng, *args, **kwargs):
        frame = Frame(dict(params), dict(state), True)
        out = run(frame, args, kwargs)
        return out, frame.state

    return TransformedWithState(init_fn, apply_fn)
