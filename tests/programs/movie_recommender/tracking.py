"""Where the numbers of a run go."""

import warnings


class RunTracker:
    """Keeps the losses of a run and writes them to a stream, line by line."""

    def __init__(self, stream):
        self.stream = stream
        self.losses = []

    def record(self, name, value):
        self.losses.append(value)  # expect: JIT202 @losses
        self.stream.write(f"{name}: {value}\n")  # expect: JIT206 @stream


def warn_if_large(ratings):
    if ratings.shape[0] > 4096:
        warnings.warn("a batch this large will be slow")


def warn_about(residual):
    warnings.warn(f"residual is {residual}")  # expect: JIT206 @residual
