"""What the training run tells about itself."""

from collections import defaultdict, deque

latest = None
_series = defaultdict(list)
_window = deque(maxlen=5)


def record(name, value):
    """Add a point to a series."""
    _series[name].append(value)  # expect: JIT202 @series


def record_on_host(name, value):
    """Add a point that the device has sent."""
    _window.append((name, float(value)))


def tail(name):
    """The newest points."""
    return [value for key, value in _window if key == name]


def ordinal(name, names=[]):
    """Which call this is, counting all names."""
    names.append(name)  # expect: JIT211 @ordinal
    return len(names)
