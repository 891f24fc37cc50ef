"""Host functions with effects, or with results that differ from call to call.

Standard library, NumPy and the trackers that training scripts use.  What happens when a trace calls
them was observed under JAX 0.10.2: the effect occurs once per trace, the result becomes a constant
of the compiled function.  Calls that only read (``open`` without a writing mode, ``np.load``) are
left out: a table read while tracing is a constant on purpose.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec import Struct

#: kinds whose result is frozen; the others are effects
FROZEN_KINDS: Final = frozenset({"random", "clock", "identifier", "environment", "input"})


class HostCall(Struct, frozen=True):
    """A call that reaches the world outside a trace.

    Args:
      kind: ``print``, ``file``, ``stream``, ``logging``, ``warning``, ``tracker`` or
        ``progress bar``; or ``random``, ``clock``, ``identifier``, ``environment``, ``input``;
        or ``seeding``, which decides what the generator of its module draws from then on.
      mode: position of the argument that must name a writing mode, None if every call counts.
    """

    kind: str
    mode: int | None = None


def _rows(kind: str, prefix: str, names: str) -> dict[str, HostCall]:
    return {f"{prefix}.{name}": HostCall(kind) for name in names.split()}


_PYTHON_RANDOM: Final = """random randint randrange uniform choice choices sample shuffle gauss
    normalvariate betavariate expovariate gammavariate lognormvariate paretovariate triangular
    vonmisesvariate weibullvariate getrandbits randbytes binomialvariate"""
#: what numpy.random, a Generator and a RandomState have in common
_DISTRIBUTIONS: Final = """beta binomial bytes chisquare choice dirichlet exponential f gamma
    geometric gumbel hypergeometric laplace logistic lognormal logseries multinomial
    multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto
    permutation poisson power random rayleigh shuffle standard_cauchy standard_exponential
    standard_gamma standard_normal standard_t triangular uniform vonmises wald weibull zipf"""
_LEVELS: Final = "debug info warning warn error critical exception log"

_FUNCTIONS: Final = {
    **_rows("print", "builtins", "print"),
    **_rows("print", "pprint", "pprint pp"),
    **_rows("print", "rich", "print print_json"),
    **_rows("input", "builtins", "input"),
    **_rows("stream", "sys.stdout", "write writelines"),
    **_rows("stream", "sys.stderr", "write writelines"),
    "builtins.open": HostCall("file", mode=1),
    "io.open": HostCall("file", mode=1),
    "gzip.open": HostCall("file", mode=1),
    **_rows("file", "numpy", "save savez savez_compressed savetxt"),
    **_rows("file", "json", "dump"),
    **_rows("file", "pickle", "dump"),
    **_rows("file", "shutil", "copy copy2 copyfile copytree move rmtree"),
    **_rows("file", "os", "makedirs mkdir remove rename replace rmdir unlink system"),
    **_rows("file", "subprocess", "run call check_call check_output Popen"),
    **_rows("file", "joblib", "dump"),
    **_rows("logging", "logging", _LEVELS),
    **_rows("logging", "absl.logging", f"{_LEVELS} fatal vlog log_first_n log_every_n"),
    **_rows("logging", "loguru.logger", f"{_LEVELS} trace success"),
    **_rows("warning", "warnings", "warn warn_explicit"),
    **_rows("tracker", "wandb", "log save alert"),
    **_rows(
        "tracker",
        "mlflow",
        "log_metric log_metrics log_param log_params log_artifact log_artifacts log_dict log_text",
    ),
    **_rows("tracker", "tensorflow.summary", "scalar histogram image text"),
    **_rows("tracker", "neptune", "log_metric"),
    **_rows("progress bar", "tqdm", "tqdm trange"),
    **_rows("progress bar", "tqdm.auto", "tqdm trange"),
    **_rows("progress bar", "tqdm.notebook", "tqdm trange"),
    **_rows("progress bar", "tqdm.std", "tqdm trange"),
    **_rows("progress bar", "tqdm.tqdm", "write"),
    **_rows("progress bar", "rich.progress", "track"),
    **_rows(
        "random",
        "random",
        _PYTHON_RANDOM,
    ),
    **_rows(
        "random",
        "numpy.random",
        f"{_DISTRIBUTIONS} rand randint randn random_integers random_sample ranf sample",
    ),
    **_rows("seeding", "random", "seed"),
    **_rows("seeding", "numpy.random", "seed"),
    **_rows("random", "os", "urandom"),
    **_rows("random", "secrets", "choice randbelow randbits token_bytes token_hex token_urlsafe"),
    **_rows(
        "clock",
        "time",
        """time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time
        process_time_ns thread_time ctime localtime gmtime""",
    ),
    **_rows("clock", "timeit", "default_timer"),
    **_rows("clock", "datetime.datetime", "now utcnow today"),
    **_rows("clock", "datetime.date", "today"),
    **_rows("identifier", "uuid", "uuid1 uuid4"),
    **_rows("environment", "os", "getenv"),
    **_rows("environment", "os.environ", "get"),
}

#: draw numbers by methods that are named like the functions of numpy.random
GENERATORS: Final = frozenset({"numpy.random.Generator", "numpy.random.RandomState"})
#: classes and factories whose objects have methods with effects, with the class of the object
_FACTORIES: Final = {
    "logging.getLogger": "logging.Logger",
    "logging.Logger": "logging.Logger",
    "structlog.get_logger": "logging.Logger",
    "builtins.open": "io.TextIOWrapper",
    "io.open": "io.TextIOWrapper",
    "gzip.open": "io.TextIOWrapper",
    "io.StringIO": "io.StringIO",
    "pathlib.Path": "pathlib.Path",
    "csv.writer": "csv.writer",
    "csv.DictWriter": "csv.writer",
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.Generator": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "random.Random": "random.Random",
    "random.SystemRandom": "random.Random",
    "tqdm.tqdm": "tqdm.tqdm",
    "tqdm.auto.tqdm": "tqdm.tqdm",
    "tqdm.notebook.tqdm": "tqdm.tqdm",
    "wandb.init": "wandb.Run",
    "comet_ml.Experiment": "comet_ml.Experiment",
    "tensorboardX.SummaryWriter": "SummaryWriter",
    "torch.utils.tensorboard.SummaryWriter": "SummaryWriter",
    "torch.utils.tensorboard.writer.SummaryWriter": "SummaryWriter",
    "flax.metrics.tensorboard.SummaryWriter": "SummaryWriter",
    "clu.metric_writers.create_default_writer": "clu.MetricWriter",
    "clu.metric_writers.SummaryWriter": "clu.MetricWriter",
    "rich.console.Console": "rich.console.Console",
}


def _methods(kind: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), kind)


_METHODS: Final = {
    "logging.Logger": _methods("logging", _LEVELS),
    "io.TextIOWrapper": _methods("file", "write writelines flush truncate"),
    "pathlib.Path": _methods(
        "file", "write_text write_bytes mkdir unlink touch rename replace rmdir symlink_to"
    ),
    "csv.writer": _methods("file", "writerow writerows writeheader"),
    "tqdm.tqdm": _methods("progress bar", "update set_description set_postfix write refresh"),
    "wandb.Run": _methods("tracker", "log save alert"),
    "comet_ml.Experiment": _methods("tracker", "log_metric log_metrics log_parameter log_text"),
    "SummaryWriter": _methods(
        "tracker",
        """add_scalar add_scalars add_histogram add_image add_text add_figure scalar histogram
        image text flush""",
    ),
    "clu.MetricWriter": _methods(
        "tracker", "write_scalars write_images write_histograms write_texts write_hparams flush"
    ),
    "rich.console.Console": _methods("print", "print log rule"),
    "numpy.random.Generator": _methods("random", f"{_DISTRIBUTIONS} integers permuted"),
    "numpy.random.RandomState": _methods(
        "random", f"{_DISTRIBUTIONS} rand randint randn random_sample tomaxint"
    ),
    "random.Random": _methods("random", _PYTHON_RANDOM),
}

#: the functions whose rows hold for the methods of such an object as well
_METHOD_ROWS: Final = {
    "numpy.random.Generator": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random",
    "random.Random": "random",
}

#: objects that a fixed seed makes the same in every trace
SEEDED: Final = frozenset(_METHOD_ROWS)


#: objects that matter only where they come from outside: to make one in a trace is told itself
LOCAL: Final = frozenset({*SEEDED, "io.TextIOWrapper", "io.StringIO", "csv.writer", "tqdm.tqdm"})


@cache
def host_call(name: str) -> HostCall | None:
    """What a function of another library does, by its qualified name; None for nothing known."""
    return _FUNCTIONS.get(name)


def object_made(name: str) -> str | None:
    """The class of the object that a call gives, if its methods have effects."""
    return _FACTORIES.get(name)


def method_kind(cls: str, name: str) -> str | None:
    """What a method of such an object does, None for nothing of note."""
    return _METHODS.get(cls, {}).get(name)


def method_row(cls: str, name: str) -> str | None:
    """The name of the row of a method that draws random numbers, None for any other."""
    owner = _METHOD_ROWS.get(cls)
    return None if owner is None else f"{owner}.{name}"
