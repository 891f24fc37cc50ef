import bench

from tools.harm import unawaited
from tools.observation import printed

HOSTILE = {}
SILENT = {
    "eager": lambda: unawaited(bench.product, bench),
    "dropped": lambda: unawaited(bench.average, bench),
    "late": lambda: unawaited(lambda: printed(bench.converted_late), bench),
    "stamped": lambda: unawaited(bench.stamped, bench),
    "other": lambda: unawaited(bench.one_of_two, bench),
}
