"""What JAX raises, and which rules speak of it: the table behind ``jitlint explain --traceback``.

Every row carries a program that was run under JAX 0.10.2 and raised what the row describes;
``tests/tracebacks/test_errors_under_jax.py`` runs them again and feeds the tracebacks back in.
The first row that fits an exception counts, so the exact ones stand before the general ones.
"""

from __future__ import annotations

import re

from msgspec import Struct

_BOOL = ("JIT101", "JIT102", "JIT103", "JIT104", "JIT110", "JIT105", "JIT109", "JIT108")


class ErrorKind(Struct, frozen=True):
    """One kind of error.

    Args:
      name: for tests and messages.
      exceptions: the last parts of the class names; empty for any class.
      pattern: what the message must contain, as a regular expression.
      rules: the codes of the rules that speak of it, the likeliest first; empty for none.
      meaning: what happened, in a sentence.
      evidence: an expression that raises it, with ``jax``, ``jnp``, ``lax`` and ``np`` at hand.
      cure: what to do, where no rule says it.
      of_jax_only: False where NumPy or Python say the same without JAX.
      leak: the fault lies where the value escaped, not where the error was raised.
    """

    name: str
    exceptions: tuple[str, ...]
    pattern: str
    rules: tuple[str, ...]
    meaning: str
    evidence: str
    cure: str = ""
    of_jax_only: bool = True
    leak: bool = False

    def fits(self, exception: str, message: str) -> bool:
        """Whether an exception is of this kind.

        Args:
          exception: the class's name, with or without its module; empty where it is not known.
          message: the text, all lines of it.
        """
        last = exception.rpartition(".")[2]
        if not last and not self.pattern:
            return False
        if self.exceptions and last and last not in self.exceptions:
            return False
        return re.search(self.pattern, message, re.MULTILINE) is not None


KINDS: tuple[ErrorKind, ...] = (
    # ---- a bool
    ErrorKind(
        "bool of a tracer",
        ("TracerBoolConversionError",),
        "",
        _BOOL,
        "Python needed to know whether a traced value is true, and it has no value yet.",
        "jax.jit(lambda x: 1 if x > 0 else 2)(1.0)",
    ),
    ErrorKind(
        "bool of a tracer, by its message",
        (),
        r"Attempted boolean conversion of traced array|problem arose with the `bool` function",
        _BOOL,
        "Python needed to know whether a traced value is true, and it has no value yet.",
        "jax.jit(lambda x: bool(x))(True)",
    ),
    ErrorKind(
        "bool of an array with several elements",
        ("ValueError",),
        r"truth value of an (array with more than one element|empty array) is ambiguous",
        _BOOL,
        "Python needed to know whether an array of several elements is true.",
        "jax.jit(lambda x: 1 if x > 0 else 2)(jnp.ones(3))",
        of_jax_only=False,
    ),
    # ---- a number
    ErrorKind(
        "conversion of a tracer",
        ("ConcretizationTypeError",),
        r"problem arose with the `(float|int|complex)` function|"
        r"occurred in the \w+\(\) method|The \w+\(\) method was called on traced array",
        ("JIT105", "JIT106"),
        "Python asked a traced value for a number, and it has none yet.",
        "jax.jit(lambda x: float(x))(1.0)",
    ),
    ErrorKind(
        "size of a result that depends on data",
        ("ConcretizationTypeError",),
        r"size argument of jnp\.|To make jnp\.\w+\(\) compatible with JIT|"
        r"total number of repeats must be static|pass a static `length` argument|"
        r"`num_segments` argument|pass strip_zeros=False",
        ("JIT109", "JIT108"),
        "How many elements the result has depends on values, which are not there yet.",
        "jax.jit(lambda x: jnp.nonzero(x))(jnp.ones(3))",
    ),
    ErrorKind(
        "static argument that is traced",
        ("ConcretizationTypeError",),
        # Every message also names the arguments of the traced function.
        r"^(?!The error occurred while tracing).*\bargument\b|expects a concrete|"
        r"must be known statically|must be static",
        ("JIT108", "JIT109"),
        "A JAX function needs the value of an argument while it is traced, such as an axis or a "
        "length.",
        "jax.jit(lambda x, n: jnp.sum(x, axis=n))(jnp.ones(3), 0)",
    ),
    ErrorKind(
        "value of a tracer",
        ("ConcretizationTypeError",),
        "",
        ("JIT105", "JIT108", "JIT109", "JIT106", *_BOOL[:5]),
        "Something needed the value of a traced array, and it has none yet.",
        "jax.jit(lambda x: pickle.dumps(x))(1.0)",
    ),
    ErrorKind(
        "index of a tracer",
        ("TracerIntegerConversionError",),
        "",
        ("JIT107", "JIT108", "JIT105", "JIT106"),
        "Python asked a traced value for an integer, and it has none yet.",
        "jax.jit(lambda i: (1, 2)[i])(0)",
    ),
    ErrorKind(
        "NumPy array of a tracer",
        ("TracerArrayConversionError",),
        "",
        ("JIT106", "JIT107", "JIT105"),
        "NumPy needed the values of a traced array.",
        "jax.jit(lambda x: np.sin(x))(1.0)",
    ),
    ErrorKind(
        "NumPy shape of a tracer",
        ("TypeError",),
        r"expected a sequence of integers or a single integer, got '\w*Tracer",
        ("JIT106",),
        "NumPy needs the shape as Python integers, and a traced value has none yet.",
        "jax.jit(lambda n: np.zeros(n))(2)",
    ),
    ErrorKind(
        "boolean mask",
        ("NonConcreteBooleanIndexError",),
        "",
        ("JIT109",),
        "A traced mask selects an unknown number of elements, so the shape is not known.",
        "jax.jit(lambda x: x[x > 0])(jnp.ones(3))",
    ),
    ErrorKind(
        "slice bounds",
        ("IndexError",),
        r"Slice entries must be static integers|Array slice indices must have static",
        ("JIT107",),
        "The bounds of a slice decide the shape, so they cannot be traced.",
        "jax.jit(lambda x, n: x[:n])(jnp.ones(3), 2)",
    ),
    ErrorKind(
        "shape",
        ("TypeError",),
        r"Shapes must be 1D sequences of concrete values.*(Tracer|Traced<)",
        ("JIT108",),
        "A shape must be known while tracing.",
        "jax.jit(lambda n: jnp.zeros(n))(2)",
    ),
    ErrorKind(
        "parameter of an operation",
        ("TypeError",),
        r"parameters to jaxpr equations must have __hash__.*(Tracer|Traced<)",
        ("JIT108",),
        "An operation's parameter must be known while tracing.",
        "jax.jit(lambda x, n: jnp.tile(x, n))(jnp.ones(3), 2)",
    ),
    ErrorKind(
        "static parameter of a JAX function",
        ("ValueError",),
        r"Non-hashable static arguments are not supported.*(Tracer|Traced<)",
        ("JIT108", "JIT111"),
        "A JAX function takes this argument as static, so it cannot be traced.",
        "jax.jit(lambda x, n: jnp.sort(x, axis=n))(jnp.ones(3), 0)",
    ),
    ErrorKind(
        "hash of a tracer",
        ("TypeError",),
        r"unhashable type: '\w*Tracer'",
        ("JIT111", "JIT108"),
        "A traced value has no hash: it is no dict key, no set element, no argument of a cache.",
        "jax.jit(lambda x: {x: 1})(1.0)",
    ),
    ErrorKind(
        "format specification",
        ("TypeError",),
        r"unsupported format string passed to \w*Tracer|"
        r"format: a (real number|integer) is required, not \w*Tracer|"
        r"must be real number, not \w*Tracer",
        ("JIT105",),
        "A format specification needs the value of a traced array.",
        "jax.jit(lambda x: f'{x:.2f}')(1.0)",
    ),
    ErrorKind(
        "Python number of an array",
        ("TypeError",),
        r"Only scalar arrays can be converted to Python scalars",
        ("JIT105",),
        "Python asked an array of several elements for a number.",
        "jax.jit(lambda x: float(x))(jnp.ones(3))",
        of_jax_only=False,
    ),
    ErrorKind(
        "integer of an array",
        ("TypeError",),
        r"Only integer scalar arrays can be converted to a scalar index",
        ("JIT107", "JIT105", "JIT108"),
        "Python asked an array that is no integer for an index.",
        "jax.jit(lambda x: range(x))(2.0)",
        of_jax_only=False,
    ),
    # ---- effects
    ErrorKind(
        "leaked tracer",
        ("UnexpectedTracerError",),
        "",
        ("JIT202", "JIT203", "JIT204", "JIT209"),
        "A traced value was kept outside of the traced function, and used once the trace was over.",
        "leak()",
        leak=True,
    ),
    ErrorKind(
        "in-place update",
        ("TypeError",),
        r"immutable and do not support in-place item assignment|"
        r"'\w*(ArrayImpl|Tracer)' object does not support item assignment",
        ("JIT205",),
        "JAX arrays cannot be changed in place.",
        "operator.setitem(jnp.ones(3), 0, 1.0)",
    ),
    ErrorKind(
        "tracer into a NumPy array",
        ("ValueError",),
        r"setting an array element with a sequence",
        ("JIT202", "JIT106"),
        "A traced value was put into a NumPy array.",
        "jax.jit(lambda x: operator.setitem(np.zeros(3), 0, x))(1.0)",
        of_jax_only=False,
    ),
    # ---- arguments
    ErrorKind(
        "unhashable static argument",
        ("ValueError",),
        r"Non-hashable static arguments are not supported",
        ("JIT304",),
        "A static argument must be hashable: it is part of the key of the compilation cache.",
        "jax.jit(lambda x, n: x, static_argnums=1)(1.0, [2])",
    ),
    ErrorKind(
        "unknown static argument",
        ("ValueError",),
        r"invalid argnames \{.*\} in \w+_argnames|"
        r"has \w+_argnums=.*but only accepts \d+ positional arguments?",
        ("JIT305",),
        "A static or donated argument is named that the function does not have.",
        "jax.jit(lambda x: x, static_argnames='n')",
    ),
    ErrorKind(
        "object of a method",
        ("TypeError",),
        r"Error interpreting argument to .*passed to the function at path self\b",
        ("JIT309", "JIT308"),
        "The object of a method is passed as an argument, and it is no pytree.",
        "Scaler().apply(1.0)",
    ),
    ErrorKind(
        "non-array argument",
        ("TypeError",),
        r"Error interpreting argument to ",
        ("JIT308", "JIT309"),
        "An argument that is neither an array nor a pytree of arrays was passed to a jitted "
        "function.",
        "jax.jit(lambda x, how: x)(1.0, 'sum')",
    ),
    # ---- of what no rule speaks
    ErrorKind(
        "method of arrays that tracers lack",
        ("AttributeError",),
        r"method is not available on traced array|\w*Tracer has no attribute",
        (),
        "Tracers lack what needs a finished array: its buffer, its device, its completion.",
        "jax.jit(lambda x: x.block_until_ready())(1.0)",
        cure="Do it outside of the traced function, on its result.",
    ),
    ErrorKind(
        "carry",
        ("TypeError",),
        r"carry input and carry output must have equal types|"
        r"body_fun output and input must have identical types",
        (),
        "The body of a loop returns a carry of another type, shape or structure than it takes.",
        "lax.scan(lambda c, x: (jnp.append(c, x), x), jnp.ones(2), jnp.ones(3))",
        cure="Give the initial carry the shape and dtype that the body returns, for instance with "
        "jnp.zeros_like and astype, and write into a buffer of fixed size instead of growing one.",
    ),
    ErrorKind(
        "branches",
        ("TypeError",),
        r"cond branch(es| outputs) must have|branch \d+ output|switch branch",
        (),
        "The branches of a conditional return different types, shapes or structures.",
        "lax.cond(True, lambda x: x, lambda x: (x, x), 1.0)",
        cure="Let all branches return the same structure, shapes and dtypes.",
    ),
    ErrorKind(
        "result that is no array",
        ("TypeError",),
        r"traced for \w+ returned a value of type",
        (),
        "A traced function may return arrays, and containers of them, only.",
        "jax.jit(lambda x: 'done')(1.0)",
        cure="Return it from a Python function around the traced one.",
    ),
    ErrorKind(
        "reverse mode of a loop",
        ("ValueError",),
        r"Reverse-mode differentiation does not work for lax\.(while_loop|fori_loop)",
        (),
        "A loop of unknown length cannot be differentiated backwards.",
        "jax.grad(lambda x: lax.while_loop(lambda c: c < 3, lambda c: c * 2, x))(1.0)",
        cure="Use jax.lax.scan, or jax.lax.fori_loop with bounds that are Python integers.",
    ),
    ErrorKind(
        "deleted buffer",
        ("RuntimeError", "ValueError", "JaxRuntimeError", "XlaRuntimeError"),
        r"Array has been deleted|deleted or donated",
        ("JIT310",),
        "An array was used after it had been donated to a jitted function, or deleted.",
        "donated()",
    ),
    ErrorKind(
        "mapped sizes",
        ("ValueError",),
        r"vmap got inconsistent sizes for array axes to be mapped",
        (),
        "The mapped axes of the arguments have different lengths.",
        "jax.vmap(lambda x, y: x + y)(jnp.ones(3), jnp.ones(4))",
        cure="Map the right axes with in_axes, and pass None for what is not mapped.",
    ),
    ErrorKind(
        "gradient of a vector",
        ("TypeError",),
        r"Gradient only defined for scalar-output functions",
        (),
        "jax.grad needs a function that returns one number.",
        "jax.grad(lambda x: x)(jnp.ones(3))",
        cure="Reduce the result with sum or mean, or use jax.jacrev or jax.vjp.",
    ),
    ErrorKind(
        "iteration over a scalar",
        ("TypeError",),
        r"iteration over a 0-d array",
        (),
        "An array without axes was iterated over or unpacked.",
        "jax.jit(lambda x: list(x))(1.0)",
        cure="Look at the shape that arrives; where a shape is expected, pass a tuple of Python "
        "integers.",
        of_jax_only=False,
    ),
)


def kind_of(exception: str, message: str, *, under_jax: bool = True) -> ErrorKind | None:
    """The kind of an error.

    Args:
      exception: the class's name, with or without its module; empty where it is not known.
      message: the text of the exception.
      under_jax: whether anything shows that JAX took part.

    Returns:
      The first row that fits; None where there is none.
    """
    for kind in KINDS:
        if (under_jax or kind.of_jax_only) and kind.fits(exception, message):
            return kind
    return None
