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


def tag_once(name, tags=set()):
    """A mark for things that should be reported the first time only."""
    tags.add(name)  # expect: JIT211 @tags
    return len(tags)
