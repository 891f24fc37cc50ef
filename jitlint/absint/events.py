"""Events: what the abstract interpreter saw happen, without an opinion.

An event is a semantic fact about one place of the program ("Python asked this traced value for a
bool, in an ``if``").  A rule decides whether that deserves a report and words it.  Events carry
everything a rule needs, so that no rule ever walks a tree.
"""

from __future__ import annotations

from typing import Any

from jitlint.foundation.records import Record


class Event(Record, kw_only=True):
    """Common part of every event.

    Args:
      place: an opaque handle of the node at fault; the engine turns it into rows and columns.
      function: qualified name of the function whose body was interpreted.
      chain: opaque steps from the transform to this place; located by the engine on demand.
      operand: the user's own source text of the value that is traced, on one line.
      certain: False when the value is traced only if a caller passes an argument that has a
        default, and no call is visible: such reports are warnings.
      exceptions: dotted names of the exception classes that can occur here; empty when nothing
        is raised.
      in_test: whether it is code of a test, which may count traces and compile on purpose.
      under: values other than defaults under which alone it was seen, in words of the program.
      always: what was so each time that it was seen, in words that fixes know.
      setting: the parameter that it is the value of, where callers pass a Python bool for it.
      static_by: how the transform at hand has arguments declared static: its option, ``values`` for
        one that takes all Python values as static, empty where neither is so.
    """

    place: Any
    function: str
    chain: Any
    operand: str
    certain: bool = True
    exceptions: tuple[str, ...] = ()
    in_test: bool = False
    under: tuple[str, ...] = ()
    always: frozenset[str] = frozenset()
    setting: str = ""
    static_by: str = ""


def event_key(node: object, event: type[Event]) -> tuple[int, str]:
    """What tells an event from others: there is one of a kind at a node."""
    return id(node), event.__name__


class Branch(Event, kw_only=True):
    """Python chose a branch by a traced value.

    ``construct`` is one of ``if``, ``elif``, ``conditional expression``, ``comprehension if``,
    ``match``.
    """

    construct: str


class Loop(Event, kw_only=True):
    """A ``while`` asked a traced value whether to go on."""


class Assertion(Event, kw_only=True):
    """An ``assert`` asked a traced value for its truth, or a library's assertion for its elements.

    ``callee`` is that of the library, empty for the statement; ``wrapped`` says whether it works
    in functions that ``chex.chexify`` wraps.
    """

    callee: str = ""
    wrapped: bool = False


class BooleanOperation(Event, kw_only=True):
    """A boolean operator asked a traced operand for its truth.

    ``operator`` is ``and``, ``or``, ``not`` or ``chained comparison``.
    """

    operator: str


class Conversion(Event, kw_only=True):
    """A traced value was converted to a Python scalar, list or formatted text.

    ``callee`` is what the user wrote: ``float``, ``int``, ``.item()``, ``math.sin``,
    ``format specification``, ``% formatting`` ...
    """

    callee: str


class NumpyCall(Event, kw_only=True):
    """NumPy or SciPy (or a NumPy array's own indexing) was given a traced value.

    ``callee`` is the function as the user would write it (``np.sin``) or a short description
    (``NumPy array index``); ``silent`` is True where nothing raises but the result is wrong
    (``np.array_equal``).
    """

    callee: str
    silent: bool = False


class PythonIndex(Event, kw_only=True):
    """Python needed an integer index.

    ``construct`` is ``list index``, ``tuple index``, ``string index``, ``slice bound``, ``range``
    or ``sequence repetition``; ``of_array`` tells a slice of an array from one of a list.
    """

    construct: str
    of_array: bool = False


class StaticParameter(Event, kw_only=True):
    """A traced value reached a parameter that JAX needs at trace time.

    ``callee`` as the user would write it (``jnp.zeros``), ``parameter`` by its name (``shape``);
    empty for one that has no name for callers.
    """

    callee: str
    parameter: str


class DataDependentShape(Event, kw_only=True):
    """The shape of a result would depend on traced values.

    ``callee`` as the user would write it, or ``boolean mask``; ``escape`` is the keyword that makes
    the shape static (``size=``), None where there is none.
    """

    callee: str
    escape: str | None


class BuiltinComparison(Event, kw_only=True):
    """A builtin compared traced values.

    ``builtin`` is ``min``, ``max``, ``sorted``, ``any``, ``all``, ``in`` ...; ``several`` says that
    it is given a Python collection of them, and no array; ``parts`` that they are parts of what it
    orders: of tuples, or what ``key=`` makes of objects.
    """

    builtin: str
    several: bool = False
    parts: bool = False


class Hash(Event, kw_only=True):
    """A traced value was hashed.

    ``construct`` is ``dict key``, ``set element``, ``hash()`` or ``argument of a cached function``.
    """

    construct: str


class TypeTest(Event, kw_only=True):
    """A type test on a Python scalar that arrives as a tracer, so it silently fails.

    ``test`` is the whole test as written; ``python_type`` the type the user expects (``int``).
    """

    test: str
    python_type: str


class SwallowedError(Event, kw_only=True):
    """A ``try`` catches the error that tracing raises inside it.

    ``handler`` is the caught class as written (``Exception``, or empty for a bare except);
    ``inside`` names what would raise (``if``, ``float`` ...).
    """

    handler: str
    inside: str


# -- effects while tracing -------------------------------------------------------------------------


class Effect(Event, kw_only=True):
    """Python did something, inside a trace, that reaches beyond it.

    ``traced`` says that a traced value is stored or shown, ``cached`` that the Python code does not
    run again on an equal call (jit, bodies of control flow; not grad or vmap alone).
    """

    traced: bool
    cached: bool


class Print(Effect, kw_only=True):
    """``print`` ran while tracing; ``operand`` is the first argument that is traced, if one is."""


class CapturedMutation(Effect, kw_only=True):
    """A list, dict, set or NumPy array from outside the trace was changed.

    ``operand`` is the container as written; ``action`` what changes it: ``.append()``, ``item
    assignment``, ``deletion``, ``+=`` ...
    """

    action: str


class OuterAssignment(Effect, kw_only=True):
    """A ``global`` or ``nonlocal`` name was bound; ``operand`` is the name.

    ``scope`` is ``global`` or ``nonlocal``.
    """

    scope: str


class AttributeAssignment(Effect, kw_only=True):
    """An attribute of an object from outside the trace was set; ``operand`` is ``self.count``."""


class DefaultMutation(Effect, kw_only=True):
    """A mutable default was changed; ``operand`` is the parameter, ``action`` as above."""

    action: str


class ArgumentMutationLost(Event, kw_only=True):
    """A container that a trace has of its own was changed, and the change does not come back.

    ``operand`` is the container as written; ``action`` as above, ``assignment`` to an attribute;
    ``callee`` is the function that was given it, as written at the call.
    """

    action: str
    callee: str


class CachedTracer(Event, kw_only=True):
    """A function that keeps its results returned a tracer; ``operand`` is what it returned.

    ``callee`` is the function; ``keeper`` what keeps the result: ``cache`` or ``object``; ``whole``
    says that the result is an array or a container of arrays, and no object that holds one.
    """

    callee: str
    keeper: str = "cache"
    whole: bool = True


class HostIO(Effect, kw_only=True):
    """Something was written, logged or shown by the host.

    ``callee`` as the user wrote it (``open``, ``logger.info``, ``writer.add_scalar``); ``kind`` is
    ``file``, ``stream``, ``logging``, ``warning``, ``tracker`` or ``progress bar``.
    """

    callee: str
    kind: str


class FrozenHostValue(Event, kw_only=True):
    """A value that should differ from call to call was taken from the host in a cached trace.

    ``callee`` as the user wrote it; ``kind`` is ``random``, ``clock``, ``identifier``,
    ``environment`` or ``input``.
    """

    callee: str
    kind: str


class IteratorAdvance(Event, kw_only=True):
    """A cached trace takes elements from an iterator that is older than it.

    ``operand`` is the iterator; ``construct`` is ``next()`` or ``for``.
    """

    construct: str


class ConstantKey(Event, kw_only=True):
    """A cached trace makes a random key of a constant, and draws with what only that decides.

    ``repeats`` says what draws the same numbers again: ``call`` of what is compiled, or
    ``iteration`` where the body of a loop makes the key.
    """

    repeats: str


class RepeatedDraw(Event, kw_only=True):
    """Random numbers are drawn again by the same call with the same key.

    ``operand`` is the key, ``callee`` the sampler; ``again`` says by what: another ``call`` further
    up, where the chain ends; another ``turn`` of the Python loop around, another ``iteration`` of
    one that JAX runs.
    """

    callee: str
    again: str


class StaleCapture(Event, kw_only=True):
    """A trace reads what is changed outside before the compiled function is called again.

    ``operand`` is what it reads; the chain ends where that is changed.  ``resized`` says whether
    the next call may pass arrays of another size, for which it is compiled with the new value.
    """

    resized: bool = False


class StaleSelf(Event, kw_only=True):
    """The same of an attribute of the object whose method is compiled."""

    resized: bool = False


class ArrayStore(Event, kw_only=True):
    """``x[i] = value`` on a JAX array inside a trace; ``operand`` is the array.

    ``statement`` is the whole target as written (``x[i]``); ``operator`` is ``=`` or ``+=`` ...
    """

    statement: str
    operator: str


class DiscardedUpdate(Event, kw_only=True):
    """``x.at[i].set(value)`` as a statement: the new array is dropped.

    ``operand`` is the array, ``method`` the update (``set``, ``add`` ...).
    """

    method: str


# -- measurement ----------------------------------------------------------------------------------


class UnawaitedTiming(Event, kw_only=True):
    """A clock was read while JAX was still at work on what the time is taken of.

    ``operand`` is what dispatched the work, as written; ``calls_back`` tells that it calls the host
    as it runs, for which a CPU waits, and ``compiles`` that all of it is called for the first time:
    of the duration its compilation may be nearly all.
    """

    calls_back: bool = False
    compiles: bool = False


class CompilingTiming(Event, kw_only=True):
    """A duration that stands for how long something runs covers its compilation.

    ``operand`` is the call that compiles, as written; ``resized`` tells that the same function was
    called before, with arrays of other shapes.
    """

    resized: bool = False


# -- the compilation cache -------------------------------------------------------------------------


class JitInLoop(Event, kw_only=True):
    """A jitted function was made and called in every turn of a loop.

    ``operand`` is what is jitted, as written; ``callee`` the transform as users know it
    (``jax.jit``); ``made`` says what is new each time (``lambda``, ``partial``, ``nested
    function``, ``bound method``, ``transformed function``), None where it is the same function,
    which the cache serves; ``caller`` is the function that is called from the loop, None where the
    loop stands around the place itself; ``around`` is the function that has that loop, or the name
    of the file.
    """

    callee: str
    made: str | None
    caller: str | None
    around: str | None = None


class JitPerCall(Event, kw_only=True):
    """A fresh jitted function is made and called in each of several calls of ``caller``.

    ``operand``, ``callee`` and ``made`` as in :class:`JitInLoop`; ``calls`` counts the calls seen,
    0 where a library is given ``caller`` and calls it again and again.
    """

    callee: str
    made: str
    caller: str
    calls: int


class FreshControlFlow(Event, kw_only=True):
    """Control flow outside of every trace was given a function made anew, in every turn of a loop.

    ``operand`` is the function as written; ``callee`` the entry point as users know it
    (``jax.lax.scan``); ``made``, ``caller`` and ``around`` as in :class:`JitInLoop`, with
    ``wrapper`` where the entry point itself makes the new function.
    """

    callee: str
    made: str
    caller: str | None
    around: str | None = None


class ClearedCache(Event, kw_only=True):
    """What JAX has compiled was thrown away in a loop that goes on to use it.

    ``operand`` is the call; ``made`` says how often: each ``turn``, or every ``few turns``;
    ``caller`` and ``around`` as in :class:`JitInLoop`.
    """

    callee: str
    made: str
    caller: str | None
    around: str | None = None


class VaryingStaticArgument(Event, kw_only=True):
    """A static parameter is given another value each time; ``operand`` is the value.

    That is in every turn of a loop, or in each of ``calls`` calls of ``caller``: None for a loop, 0
    where a library calls it again and again.  ``callee`` is the function that is compiled for each
    value; ``parameter`` its parameter, or the position of that; ``declared`` is False where a
    Python number is static without being declared so; ``made`` is what is new each time where an
    object is (``lambda`` ...), None for a number or text; ``field`` the static field of what is
    passed that holds it, empty for that itself; ``caller`` and ``around`` as in
    :class:`JitInLoop`; ``application`` is an opaque handle of where the transform is applied that
    declares it static, and ``positional`` are the parameters that positions count there.
    """

    callee: str
    parameter: str
    declared: bool
    made: str | None
    caller: str | None
    field: str = ""
    application: Any = None
    positional: tuple[str, ...] = ()
    calls: int | None = None
    around: str | None = None


class VaryingShapeArgument(Event, kw_only=True):
    """An argument has another shape in every turn of a loop; ``operand`` is the argument.

    ``callee`` is the function that is compiled for each of them; ``how`` is ``grows``,
    ``follows``, ``left over``, ``selected`` or ``text``, and ``subject`` what does so, as the code
    writes it, empty where callers pass it; ``caller`` and ``around`` as in :class:`JitInLoop`.
    """

    callee: str
    how: str
    subject: str
    caller: str | None
    around: str | None = None


class UnhashableStaticArgument(Event, kw_only=True):
    """A value that cannot be hashed was passed for a static parameter; ``operand`` is the value.

    ``parameter`` is its name (or position, as text); ``python_type`` the type (``list``).
    """

    parameter: str
    python_type: str


class StaticFieldArray(Event, kw_only=True):
    """A function is called with a second object whose static field holds an array.

    ``operand`` is the argument, ``cls`` the class of the object, ``field`` the name of the field,
    ``callee`` the function.
    """

    cls: str
    field: str
    callee: str


class ArrayDeclaredStatic(Event, kw_only=True):
    """A parameter is declared static and holds an array, by what the function says of it.

    ``operand`` is the parameter; ``kind`` what it holds: ``array``, ``dict of arrays``, ``pytree
    of arrays`` or a class in words; ``shown_by`` the code that shows it: its annotation, the fields
    of the class, or a use in the body; ``optional`` whether it may be left out.
    """

    kind: str
    shown_by: str
    optional: bool
    callee: str


class UnknownStaticArgument(Event, kw_only=True):
    """A static name or position that the function does not have.

    ``option`` is ``static_argnames``, ``static_argnums``, ``donate_argnames`` or
    ``donate_argnums``; ``wrong`` the name or number as text; ``target`` the function's name;
    ``parameters`` the names that it does have.
    """

    option: str
    wrong: str
    target: str
    parameters: tuple[str, ...]


class DonatedBufferReuse(Event, kw_only=True):
    """An array is read whose memory a call has taken; ``operand`` is the array, or what holds it.

    ``callee`` is the function that it was donated to, as written at the call.
    """

    callee: str


class NonArrayArgument(Event, kw_only=True):
    """What is neither an array nor a number reached a parameter that is traced.

    ``operand`` is the argument; ``parameter`` its name (or position), empty for an operand of
    control flow; ``python_type`` what it is: ``str``, ``function``, ``class``, or the name of its
    class; ``callee`` the traced function, or what the operand is; ``holder`` the class of the
    object that has it among its leaves, ``instead`` what takes such an object in place of the
    transform, empty where there is none.  Where it is only ``declared`` nobody passes it, and
    ``operand`` is the transform.
    """

    parameter: str
    python_type: str
    callee: str
    holder: str = ""
    instead: str = ""
    declared: bool = False


class NonArrayResult(Event, kw_only=True):
    """What a transform or control flow runs returned what is neither an array nor a number.

    ``operand`` is the call; ``python_type`` and ``holder`` are those of :class:`NonArrayArgument`;
    ``callee`` is the function that returned it, and ``transform`` what runs that.
    """

    python_type: str
    callee: str
    transform: str
    holder: str = ""


class TracedSelf(Event, kw_only=True):
    """A transform applied to a method traces ``self``, whose class is no pytree.

    ``operand`` is the method, ``cls`` the name of its class, ``callee`` the transform.
    """

    cls: str
    callee: str


# -- what programs cost ----------------------------------------------------------------------------


class CapturedConstant(Event, kw_only=True):
    """A compiled function took up an array from outside; ``operand`` is the array as written.

    ``shape`` are the lengths of its dimensions.
    """

    shape: tuple[int, ...]


class WideDtype(Event, kw_only=True):
    """JAX was asked for a dtype of 64 bits; ``operand`` is the dtype as written.

    ``callee`` is what it was asked of; ``given`` the dtype that JAX has in its place.
    """

    callee: str
    given: str


class UnrolledLoop(Event, kw_only=True):
    """Python ran a loop in a trace, and gave JAX operations in each turn.

    ``operand`` is what it runs over, as written; ``turns`` how often that is, ``copies`` how often
    the program holds what stands in the loops inside it.
    """

    turns: int
    copies: int
