"""A small module system, as Haiku has it: parameters belong to the frame that is on top."""

import dataclasses

frame_stack = []


@dataclasses.dataclass
class Frame:
    params: dict
    initial: bool
    seen: set = dataclasses.field(default_factory=set)


def current_frame():
    if not frame_stack:
        raise ValueError("must be used within `transform`")
    return frame_stack[-1]


def get_parameter(name, shape, init):
    """A parameter of the module that runs."""
    frame = current_frame()
    frame.seen.add(name)
    if name not in frame.params:
        if not frame.initial:
            raise KeyError(f"no parameter {name!r}")
        frame.params[name] = init(shape)
    return frame.params[name]


class Transformed:
    """A function of parameters and inputs."""

    def __init__(self, fn):
        self.fn = fn

    def _run(self, frame, args):
        frame_stack.append(frame)
        try:
            return self.fn(*args)
        finally:
            frame_stack.pop()

    def init(self, *args):
        frame = Frame({}, True)
        self._run(frame, args)
        return frame.params

    def apply(self, params, *args):
        return self._run(Frame(dict(params), False), args)


def transform(fn):
    return Transformed(fn)
