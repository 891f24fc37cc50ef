"""What runs while host code goes on, and what waits for it.

JAX hands work to a device and returns at once, with arrays that are not there yet; whoever asks for
what they hold waits.  Observed under JAX 0.10.2 on arrays that were pending:
``tests/jaxmodel/test_asynchrony.py`` runs the rows again.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final


def _in(module: str, names: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for name in names.split())


#: clocks that are read to measure something, and the Python type of what they show
READINGS: Final[dict[str, str | None]] = {
    **dict.fromkeys(
        _in("time", "time perf_counter monotonic process_time thread_time clock")
        | _in("timeit", "default_timer"),
        "float",
    ),
    **dict.fromkeys(
        _in("time", "time_ns perf_counter_ns monotonic_ns process_time_ns thread_time_ns"), "int"
    ),
    **dict.fromkeys(_in("datetime.datetime", "now utcnow today")),
}

#: what has each compiled call wait for what it gives, and look for what is no number in it: seen
#: under JAX 0.10.2, where jax_disable_jit and jax_check_tracer_leaks have none wait
_CHECKING: Final = re.compile(
    r"""jax_debug_(?:nans|infs)["']\s*,\s*True|\bjax_debug_(?:nans|infs)\s*=\s*True"""
    r"""|\bdebug_(?:nans|infs)\(\s*True|\bJAX_DEBUG_(?:NANS|INFS)["']?\]?\s*[:=]\s*["']?(?:1|true)""",
    re.IGNORECASE,
)

#: executions that a device has been given and has not come to the end of, at most: who dispatches
#: one more waits.  The limit of XLA's clients for CPUs, GPUs and TPUs alike
IN_FLIGHT: Final = 32
#: of so many executions that follow each other a tenth at most is still to be done at the end
MANY_EXECUTIONS: Final = 10 * IN_FLIGHT
#: how often `%timeit` repeats what it does, where nothing says so
_REPEATS: Final = 7


def magic_runs_often(magic: str) -> bool:
    """Whether a magic of IPython runs what it measures so often that little is left in the end.

    ``%timeit`` by itself looks for a number of runs that take a fifth of a second: as many as it
    takes to have the dispatches wait for each other.  Of products of matrices of 300 to 2,000 rows
    it lost 5 to 25 % on a CPU, whatever one of them took.

    Args:
      magic: as the source writes it: ``%timeit``, ``%%timeit -n 10 -r 3``, ``%time``.
    """
    if "timeit" not in magic:
        return False
    words = magic.split()
    said = dict(zip(words[1::2], words[2::2], strict=False))
    if "-n" not in said:
        return True
    return int(said["-n"]) * int(said.get("-r", _REPEATS)) >= MANY_EXECUTIONS


#: libraries whose functions only dispatch more work, but for those that wait
_DISPATCHING: Final = frozenset(
    {"jax", "jaxlib", "jaxtyping", "flax", "optax", "equinox", "haiku", "distrax", "jitlint"}
)
#: modules of Python that hand on what they are given
_PASSING: Final = frozenset(
    {"collections", "contextlib", "copy", "dataclasses", "enum", "functools", "itertools", "typing"}
)
#: functions of those libraries that wait for what they are given
_WAITING: Final = (
    _in(
        "jax",
        "block_until_ready device_get debug.print debug.callback debug.breakpoint pure_callback",
    )
    | _in("jax.experimental", "io_callback")
    | _in(
        "jax.experimental.multihost_utils",
        """assert_equal broadcast_one_to_all process_allgather sync_global_devices
        host_local_array_to_global_array global_array_to_host_local_array""",
    )
    | _in("jax.experimental.array_serialization.serialization", "run_serialization")
    | _in("flax.serialization", "to_bytes msgpack_serialize")
    | _in("flax.training.checkpoints", "save_checkpoint save_checkpoint_multiprocess")
    | _in("flax.training.common_utils", "get_metrics stack_forest")
    | _in("flax.jax_utils", "prefetch_to_device")
)
#: those that wait for all that was dispatched before, whatever they are given
_BARRIERS: Final = (
    _in("jax", "effects_barrier clear_backends")
    | _in("jax.profiler", "stop_trace save_device_memory_profile")
    | _in("jax.experimental.multihost_utils", "sync_global_devices")
)
#: transforms whose functions wait for their results themselves: Equinox asks for a marker
_WAITING_TRANSFORMS: Final = frozenset({"equinox.filter_jit"})
#: builtins that look at no element of an array
_BLIND: Final = _in(
    "builtins",
    """abs callable classmethod delattr dict divmod enumerate filter getattr globals hasattr id
    isinstance issubclass iter len list locals map next object pow property reversed round setattr
    slice staticmethod sum super tuple type vars zip""",
)
#: functions of NumPy that call the array's own method, or look at its shape alone
_BLIND_NUMPY: Final = _in(
    "numpy",
    """sum prod max min mean std var argmax argmin cumsum cumprod squeeze transpose reshape ravel
    shape ndim size iscomplexobj isrealobj result_type can_cast dtype""",
)

#: methods and attributes of arrays that wait
WAITING_METHODS: Final = frozenset(
    "block_until_ready item tolist tobytes to_py unsafe_buffer_pointer nonzero __array__".split()
)

#: methods that wait for an array, or belong to Python's own containers, texts and logs
PASSIVE_METHODS: Final = WAITING_METHODS | frozenset(
    """append clear close critical debug endswith error exception extend flush format info insert
    items join keys lower log readline replace rstrip split splitlines startswith strip upper values
    warn warning write writerow""".split()
)

#: modules of Python that do no work of their own worth a measurement
_AT_HAND: Final = frozenset({"builtins", "datetime", "logging", "math", "statistics", "time"})

#: what operators of Python stand for
_OPERATORS: Final = frozenset(
    """Add BitAnd BitOr BitXor Divide FloorDivide LeftShift Modulo Multiply Power RightShift
    Subtract""".split()
)
#: what is over at once, and nobody measures: keys, arrays from constants, other shapes of an array,
#: copies to a device
_LIGHT: Final = (
    frozenset(
        """arange argwhere array asarray astype at atleast_1d atleast_2d atleast_3d bfloat16 bool_
    broadcast_arrays broadcast_to clone device_put empty empty_like expand_dims eye
    flatnonzero flatten float16 float32 float64 fold_in full full_like getitem identity
    int16 int32 int64 int8 key key_data moveaxis ndarray nonzero ones ones_like PRNGKey
    ravel replicate reshape rng_uniform seed split squeeze swapaxes transpose tri uint32
    uint8 unique unreplicate wrap_key_data zeros zeros_like""".split()
    )
    | _OPERATORS
)

#: a step of an optimizer outside of jit: a dozen operations for each leaf, of which Adam has more
#: than :data:`IN_FLIGHT` with three leaves (0.111 of 0.111 s seen by a clock that is read after it)
_MANY: Final = frozenset(
    f"optax.{name}.update"
    for name in ("GradientTransformation", "GradientTransformationExtraArgs", "MultiSteps")
)


@cache
def waits_for_arguments(name: str, *, is_array: bool) -> bool:
    """Whether a function of another library may wait for the arrays that it is given.

    Args:
      name: the function.
      is_array: whether it is given an array itself: of a list NumPy makes an array of its own
        (``np.mean(losses)`` waits, and ``np.mean(x)`` is ``x.mean()``).
    """
    root = name.partition(".")[0]
    if root in _DISPATCHING:
        return name in _WAITING
    return root not in _PASSING and name not in _BLIND and not (is_array and name in _BLIND_NUMPY)


def waits_for_all(name: str) -> bool:
    """Whether a function waits for all that was dispatched before."""
    return name in _BARRIERS


def waits_itself(transform: str) -> bool:
    """Whether the functions that a transform makes return when their work is done."""
    return transform in _WAITING_TRANSFORMS


def is_other_work(name: str) -> bool:
    """Whether a function of another library may take time that no device does."""
    root = name.partition(".")[0]
    return not (root in _DISPATCHING or root in _PASSING or root in _AT_HAND)


def is_light(name: str) -> bool:
    """Whether work of that name is over as soon as it is dispatched, for all that anybody cares."""
    return name.rpartition(".")[2] in _LIGHT


def is_operator(name: str) -> bool:
    """Whether work of that name is what an operator of Python stands for: ``Add``."""
    return name in _OPERATORS


def dispatches_many(name: str) -> bool:
    """Whether a call dispatches so many operations that it waits for what was dispatched before.

    Args:
      name: a method of a library's object, with its class: ``optax.GradientTransformation.update``.
    """
    return name in _MANY


def has_calls_wait(text: str) -> bool:
    """Whether code, or a file that says how it is run, has each compiled call wait."""
    return _CHECKING.search(text) is not None
