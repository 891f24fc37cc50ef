import train

from tools.harm import raises
from tools.observation import is_tracer


def mask():
    failed = raises(train.main, "UnexpectedTracerError")
    return failed and is_tracer(train.layer.mask)


HOSTILE = {}
SILENT = {"mask": mask}
