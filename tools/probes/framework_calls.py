"""Calls of functions and layers of the frameworks while ``jax.jit`` traces them.

The samples are those of :mod:`tools.probes.framework_samples`.  Nothing is compiled.
"""

from __future__ import annotations

import importlib
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp

from tools.probes.documents import Row
from tools.probes.names import resolve, spelled

#: Parameters that are callables, names or types by nature: tracing them says nothing.
_SKIPPED_PARAMETERS = frozenset("dtype param_dtype precision parent name rngs key_or_seed".split())
_PLAIN = (bool, int, float, complex, str, bytes)

Arrays = Mapping[str, Any]
#: By part of a call ("" for the call, or what builds a layer; "call" for the layer's own), the
#: parameters that are traced.
Traced = Mapping[str, Mapping[str, Any]]


def modules() -> dict[str, Any]:
    """The modules that a sample may mention."""
    names = {
        "jax": "jax", "jnp": "jax.numpy", "lax": "jax.lax", "np": "numpy", "optax": "optax",
        "flax": "flax", "nn": "flax.linen", "nnx": "flax.nnx", "eqx": "equinox", "hk": "haiku",
        "chex": "chex", "jmp": "jmp",
    }  # fmt: skip
    return {name: importlib.import_module(module) for name, module in names.items()}


def arrays() -> dict[str, Any]:
    """The arrays that a sample may mention, and that arrive traced."""

    def filled(*shape: int) -> Any:
        size = math.prod(shape)
        return (jnp.arange(1.0, size + 1.0) / (size + 1.0)).reshape(shape)

    return {
        "V": filled(4), "M": filled(3, 4), "SQ": filled(4, 4), "B": filled(2, 3, 4),
        "IMG": filled(1, 8, 8, 3), "CHW": filled(3, 8, 8), "VOL": filled(1, 4, 4, 4, 3),
        "I": jnp.arange(3), "N": jnp.asarray(1), "S": jnp.asarray(0.5), "Q": jnp.asarray(False),
        "MASK": jnp.ones((3, 4), bool), "K": jax.random.PRNGKey(0),
        "P": {"w": filled(3, 4), "b": filled(4)},
    }  # fmt: skip


def classify(value: Any) -> str:
    """Name the kind of a result, in the words of :mod:`jitlint.jaxmodel.frameworks`."""
    if value is None:
        return "none"
    if isinstance(value, jax.core.Tracer):
        return "array"
    if type(value).__name__ in ("GradientTransformation", "GradientTransformationExtraArgs"):
        return "object:optax.GradientTransformation"
    if isinstance(value, _PLAIN):
        return "static"
    if type(value) is tuple and value and all(isinstance(v, jax.core.Tracer) for v in value):
        return f"arrays:{len(value)}"
    if type(value) is tuple and len(value) == 2 and all(map(_is_traced_tree, value)):
        return "tree_pair"
    leaves = jax.tree.leaves(value)
    if _is_traced_tree(value):
        return "tree"
    if inspect.isroutine(value) or (callable(value) and not leaves):
        return "callable"
    if all(isinstance(leaf, (*_PLAIN, type)) for leaf in leaves):
        return "static"
    return "callable" if callable(value) else "object"


def _is_traced_tree(value: Any) -> bool:
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value))


def parameters(target: Any) -> list[inspect.Parameter]:
    """The parameters of a function, or of what makes the instances of a class."""
    for candidate in (target, getattr(target, "__init__", None)):
        try:
            signature = inspect.signature(candidate)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            continue
        found = [p for p in signature.parameters.values() if p.name != "self"]
        generic = all(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in found)
        # Classes whose metaclass takes anything show their parameters only in __init__.
        if not (generic and found and inspect.isclass(target) and candidate is target):
            return found
    return []


class Prober:
    """Makes rows from sample calls, with the imports and arrays made once."""

    def __init__(self) -> None:
        self.names = modules()
        self.arrays = arrays()

    # -- any call ---------------------------------------------------------------------------------

    def evaluate(self, text: str, arrays: Arrays) -> dict[str, Any]:
        """Turn the text of keyword arguments into a dict."""
        return dict(eval(f"dict({text})", {**self.names, **arrays}))  # our own data

    def call(self, target: Any, text: str, arrays: Arrays, traced: Mapping[str, Any]) -> Any:
        """Call something with the arguments of a sample, some of them replaced."""
        arguments = self.evaluate(text, arrays) | dict(traced)
        return target(*arguments.pop("_args", ()), **arguments)

    def trace(self, body: Callable[[Arrays, Traced], Row], traced: Traced) -> Row:
        """Give the row that a body makes while jit traces it, the arrays and some parameters."""
        seen: list[Row] = []

        def program(arrays: Arrays, traced: Traced) -> None:
            seen.append(body(arrays, traced))

        jax.eval_shape(jax.jit(program), self.arrays, traced)
        return seen[-1]

    def measure(
        self,
        body: Callable[[Arrays, Traced], Row],
        parts: Mapping[str, tuple[Any, str]],
        numbers: Callable[[str, Any], Mapping[str, Any]] | None = None,
    ) -> Row:
        """Run a call, then again with each of its Python numbers traced alone.

        Args:
          body: makes the call, and its row.
          parts: what is called, and the text of its arguments.
          numbers: gives the Python numbers of a text.
        """
        try:
            row = self.trace(body, {})
        except Exception as failure:  # whatever a library raises is the measurement
            return {"returns": "raises", "fails": type(failure).__name__}
        for part, (target, text) in parts.items():
            bad: dict[str, str] = {}
            good: list[str] = []
            for name, value in sorted((numbers or self.numbers)(text, target).items()):
                try:
                    self.trace(body, {part: {name: value}})
                except Exception as failure:
                    bad[name] = type(failure).__name__
                else:
                    good.append(name)
            prefix = f"{part}_" if part else ""
            if bad:
                row[f"{prefix}must_be_static"] = bad
            if good:
                row[f"{prefix}traced_ok"] = " ".join(good)
        return row

    def numbers(self, text: str, target: Any) -> dict[str, Any]:
        """Python numbers among the arguments and defaults of a call, to be traced one by one."""
        given: dict[str, Any] = {}
        # Traced, since what a sample builds would have to be compiled otherwise.
        jax.eval_shape(lambda arrays: given.update(self.evaluate(text, arrays)), self.arrays)
        defaults = {
            p.name: p.default
            for p in parameters(target)
            if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.default is not p.empty
        }
        return {
            name: value
            for name, value in (defaults | given).items()
            if name not in _SKIPPED_PARAMETERS
            and not name.startswith("_")
            and _is_number_tree(value)
        }

    # -- functions --------------------------------------------------------------------------------

    def function(self, name: str, text: str) -> Row:
        """Measure a plain function."""
        target = resolve(name)

        def body(arrays: Arrays, traced: Traced) -> Row:
            return {"returns": classify(self.call(target, text, arrays, traced.get("", {})))}

        kind = "class" if inspect.isclass(target) else "function"
        return {"kind": kind} | self.measure(body, {"": (target, text)})

    def schedule(self, name: str, text: str) -> Row:
        """Measure a learning-rate schedule, called with a traced count."""
        target = resolve(name)

        def body(arrays: Arrays, traced: Traced) -> Row:
            made = self.call(target, text, arrays, traced.get("", {}))
            return {"returns": classify(made), "call_returns": classify(made(arrays["N"]))}

        return {"kind": "function"} | self.measure(body, {"": (target, text)})

    def gradient_transformation(self, name: str, text: str) -> Row:
        """Measure an optax transformation: build it, ``init`` and ``update``."""
        target = resolve(name)

        def body(arrays: Arrays, traced: Traced) -> Row:
            arguments = self.evaluate(text, arrays) | dict(traced.get("", {}))
            extra = arguments.pop("_extra", {})
            params = arguments.pop("_params", arrays["P"])
            made = target(*arguments.pop("_args", ()), **arguments)
            state = made.init(params)
            updates = params if hasattr(params, "shape") else arrays["P"]
            made.update(updates, state, params, **extra)
            return {"returns": classify(made)}

        return {"kind": "function"} | self.measure(body, {"": (target, text)})

    # -- layers -----------------------------------------------------------------------------------

    def layer(self, name: str, text: str) -> Row:
        """Measure a layer: what calling an instance gives, which arguments must be static."""
        target = resolve(name)
        built, called = text.split("|")
        framework = name.removeprefix("flax.").split(".")[0]
        call = {
            "linen": self._linen,
            "nnx": self._nnx,
            "equinox": self._equinox,
            "haiku": self._haiku_layer,
        }[framework]

        def body(arrays: Arrays, traced: Traced) -> Row:
            first = self.evaluate(built, arrays) | dict(traced.get("", {}))
            second = self.evaluate(called, arrays) | dict(traced.get("call", {}))
            result = call(target, first, second, arrays["K"])
            return {"returns": "object", "call_returns": classify(result)}

        parts = {"": (target, built), "call": (target.__call__, called)}
        if framework == "haiku":
            row = self._measure_in_haiku(body, parts)
        else:
            row = self.measure(body, parts)
        row["call_parameters"] = spelled(parameters(target.__call__))
        return {"kind": "module_class"} | row

    def _linen(self, target: Any, built: dict[str, Any], called: dict[str, Any], key: Any) -> Any:
        positional = called.pop("_args", ())
        module = target(**built)
        if not isinstance(module, self.names["nn"].Module):  # BatchApply is a plain wrapper
            return module(*positional)
        keys = {"params": key, "dropout": key}
        return module.init_with_output(keys, *positional, **called)[0]

    def _nnx(self, target: Any, built: dict[str, Any], called: dict[str, Any], key: Any) -> Any:
        first, positional = built.pop("_args", ()), called.pop("_args", ())
        rngs = self.names["nnx"].Rngs(key)
        if any(p.name == "rngs" for p in parameters(target)):
            built["rngs"] = rngs
        if target.__name__ == "Dropout":
            called["rngs"] = rngs
        return target(*first, **built)(*positional, **called)

    def _equinox(self, target: Any, built: dict[str, Any], called: dict[str, Any], key: Any) -> Any:
        positional = called.pop("_args", ())
        if target.__name__ not in ("BatchNorm", "SpectralNorm"):
            return target(**built)(*positional, **called)
        layer, state = self.names["eqx"].nn.make_with_state(target)(**built)
        if target.__name__ == "SpectralNorm":
            return layer(state=state, **called)
        kept: list[Any] = []

        def one(x: Any) -> Any:
            kept.append(layer(**{**called, "x": x}, state=state))
            return kept[-1][0]

        jax.vmap(one, axis_name="batch")(called["x"])
        return kept[-1]

    # -- Haiku ------------------------------------------------------------------------------------
    #
    # Its functions and modules, and the samples that build modules, need a running transform.

    def haiku_function(self, name: str, text: str) -> Row:
        """Measure a function that needs a running Haiku transform."""
        target = resolve(name)

        def body(arrays: Arrays, traced: Traced) -> Row:
            self.names["hk"].get_state("s", (4,), init=jnp.ones)
            return {"returns": classify(self.call(target, text, arrays, traced.get("", {})))}

        return {"kind": "function"} | self._measure_in_haiku(body, {"": (target, text)})

    def _haiku_layer(
        self, target: Any, built: dict[str, Any], called: dict[str, Any], key: Any
    ) -> Any:
        return target(**built)(*called.pop("_args", ()), **called)

    def _measure_in_haiku(
        self,
        body: Callable[[Arrays, Traced], Row],
        parts: Mapping[str, tuple[Any, str]],
    ) -> Row:
        """Like :meth:`measure`, within a transform that is initialised and applied."""
        hk = self.names["hk"]

        def transformed(arrays: Arrays, traced: Traced) -> Row:
            result: list[Row] = []

            def inside() -> None:
                result.append(body(arrays, traced))

            program = hk.transform_with_state(inside)
            params, state = program.init(arrays["K"])
            program.apply(params, state, arrays["K"])
            return result[-1]

        def numbers(text: str, target: Any) -> dict[str, Any]:
            found: dict[str, Any] = {}
            hk.transform(lambda: found.update(self.numbers(text, target))).init(self.arrays["K"])
            return found

        return self.measure(transformed, parts, numbers)


def _is_number_tree(value: Any) -> bool:
    leaves = jax.tree.leaves(value)
    return bool(leaves) and all(isinstance(leaf, (bool, int, float)) for leaf in leaves)
