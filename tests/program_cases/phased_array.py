import logging
import os
import scanner
import steering
from tools.observation import compilations, is_tracer

WAVE = scanner.plane_wave(0.3)
SCAN = scanner.Scanner([-0.3, 0.0, 0.3])
scanner.compare(SCAN, WAVE)


class Kept(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def trace():
    kept = Kept()
    log = logging.getLogger("phased_array")
    log.addHandler(kept)
    scanner.Scanner([0.1, 0.2]).capon(WAVE[:5], 0.1)
    log.removeHandler(kept)
    return len(kept.lines) == 1 and "JitTracer" in kept.lines[0]


def taper():
    steering.beam(WAVE[:6], 0.1)
    return is_tracer(steering._tapers[6])


def size():
    steering.beam(WAVE[:3], 0.1)
    steering.beam(WAVE[:2], 0.1)
    steering.beam(WAVE[:3], 0.1)
    return steering.last_size == 2


def gain():
    os.environ["ARRAY_GAIN"] = "1.0"
    first = float(steering.beam(WAVE[:7], 0.1).sum())
    os.environ["ARRAY_GAIN"] = "3.0"
    second = float(steering.beam(WAVE[:7], 0.1).sum())
    del os.environ["ARRAY_GAIN"]
    return first == second


def kept_scan():
    SCAN.bartlett(WAVE)
    assert compilations(lambda: [SCAN.bartlett(WAVE) for _ in range(3)]) == 0


HOSTILE = {"forget": lambda: scanner.make_tracker(3)}
EXPECT = {"forget": ("ValueError",)}
SILENT = {
    "trace": trace,
    "taper": taper,
    "gain": gain,
    "size": size,
    "spectrum": lambda: compilations(lambda: scanner.compare(SCAN, WAVE)) >= 2,
}
INNOCENT = [kept_scan, lambda: scanner.make_smoother(2)(SCAN.angles, forgetting=0.5)]
