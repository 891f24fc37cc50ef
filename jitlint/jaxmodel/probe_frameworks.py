"""Measure what optax, Flax, Equinox, Haiku and Chex do with traced values.

``python -m jitlint.jaxmodel.probe_frameworks --write`` regenerates ``data/frameworks.json`` and
``data/framework_transforms.json`` from the installed packages; ``--check`` compares and exits with
1 when something differs; without an option the rows go to standard output. ``--only PREFIX``
restricts the facts to names that start so.

Every measurement runs the call of :mod:`jitlint.jaxmodel.framework_samples` while ``jax.jit``
traces it; nothing is compiled. The frameworks are imported inside functions only.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial, wraps
from pathlib import Path
from typing import Any

from jitlint.jaxmodel import framework_samples as samples
from jitlint.jaxmodel.framework_transform_samples import CLASSES, TRANSFORM_ALIASES, TRANSFORMS

Row = dict[str, Any]

DATA = Path(__file__).with_name("data")
FACTS_FILE = DATA / "frameworks.json"
TRANSFORMS_FILE = DATA / "framework_transforms.json"

#: Modules whose public names are looked through for aliases.
ALIAS_MODULES = (
    "optax optax.losses optax.schedules optax.tree optax.tree_utils optax.projections"
    " optax.transforms optax.assignment optax.perturbations optax.contrib optax.microbatching"
    " optax.second_order flax.linen flax.linen.activation flax.linen.attention flax.linen.linear"
    " flax.linen.normalization flax.linen.pooling flax.linen.recurrent flax.linen.stochastic"
    " flax.linen.combinators flax.linen.transforms flax.linen.initializers flax.linen.module"
    " flax.linen.spmd flax.linen.partitioning flax.linen.batch_apply flax.nnx flax.nnx.nn"
    " flax.nnx.initializers flax.nnx.transforms flax.core flax.core.frozen_dict flax.training"
    " flax.training.common_utils flax.training.lr_schedule flax.training.train_state"
    " flax.training.dynamic_scale flax.struct flax.serialization flax.traverse_util"
    " flax.jax_utils equinox equinox.nn equinox.debug equinox.internal haiku haiku.nets"
    " haiku.initializers haiku.experimental haiku.data_structures haiku.pad chex jmp"
).split()

#: Modules whose functions the frameworks re-export under their own names.
SAME_AS_MODULES = (
    "jax.nn jax.nn.initializers jax.numpy jax.lax jax.random jax.tree_util jax.scipy.special jax"
).split()

#: Parameters that are callables, names or types by nature: tracing them says nothing.
_SKIPPED_PARAMETERS = frozenset("dtype param_dtype precision parent name rngs key_or_seed".split())


def _namespace() -> dict[str, Any]:
    """Everything a sample may mention, arrays excepted."""
    modules = {
        "jax": "jax", "jnp": "jax.numpy", "lax": "jax.lax", "np": "numpy", "optax": "optax",
        "flax": "flax", "nn": "flax.linen", "nnx": "flax.nnx", "eqx": "equinox", "hk": "haiku",
        "chex": "chex", "jmp": "jmp",
    }  # fmt: skip
    return {name: importlib.import_module(module) for name, module in modules.items()}


def _arrays() -> dict[str, Any]:
    """The arrays that samples mention and that arrive traced."""
    import jax
    import jax.numpy as jnp

    def filled(*shape: int) -> Any:
        size = 1
        for length in shape:
            size *= length
        return (jnp.arange(1.0, size + 1.0) / (size + 1.0)).reshape(shape)

    return {
        "V": filled(4), "M": filled(3, 4), "SQ": filled(4, 4), "B": filled(2, 3, 4),
        "IMG": filled(1, 8, 8, 3), "CHW": filled(3, 8, 8), "VOL": filled(1, 4, 4, 4, 3),
        "I": jnp.arange(3), "N": jnp.asarray(1), "S": jnp.asarray(0.5), "Q": jnp.asarray(False),
        "MASK": jnp.ones((3, 4), bool), "K": jax.random.PRNGKey(0),
        "P": {"w": filled(3, 4), "b": filled(4)},
    }  # fmt: skip


def resolve(name: str) -> Any:
    """The object behind a dotted name, importing the longest module prefix there is."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise LookupError(name)


def classify(value: Any) -> str:
    """Name the kind of a result, in the words of :mod:`jitlint.jaxmodel.frameworks`."""
    import jax

    if value is None:
        return "none"
    if isinstance(value, jax.core.Tracer):
        return "array"
    class_name = type(value).__name__
    if class_name in ("GradientTransformation", "GradientTransformationExtraArgs"):
        return "object:optax.GradientTransformation"
    if isinstance(value, (bool, int, float, complex, str, bytes)):
        return "static"
    if type(value) is tuple and value and all(isinstance(v, jax.core.Tracer) for v in value):
        return f"arrays:{len(value)}"
    leaves = jax.tree_util.tree_leaves(value)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return "tree"
    if inspect.isroutine(value) or (callable(value) and not leaves):
        return "callable"
    if all(isinstance(leaf, (bool, int, float, complex, str, bytes, type)) for leaf in leaves):
        return "static"
    return "callable" if callable(value) else "object"


def _parameters(target: Any) -> list[inspect.Parameter]:
    for candidate in (target, getattr(target, "__init__", None)):
        if candidate is None:
            continue
        try:
            found = [
                p for p in inspect.signature(candidate).parameters.values() if p.name != "self"
            ]
        except (TypeError, ValueError):
            continue
        generic = {p.kind for p in found} <= {
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        }
        # Classes whose metaclass takes anything show their parameters only in __init__.
        if not (generic and found and inspect.isclass(target) and candidate is target):
            return found
    return []


def _spelled(parameters: list[inspect.Parameter]) -> str:
    """Write a signature in the compact form that ``functions.parse_signature`` reads."""
    spelled: list[str] = []
    star = False
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            spelled.append("*" + parameter.name)
            star = True
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            spelled.append("**" + parameter.name)
        else:
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not star:
                spelled.append("*")
                star = True
            has_default = parameter.default is not inspect.Parameter.empty
            spelled.append(parameter.name + ("=" if has_default else ""))
    if any(p.kind is inspect.Parameter.POSITIONAL_ONLY for p in parameters):
        count = sum(p.kind is inspect.Parameter.POSITIONAL_ONLY for p in parameters)
        spelled.insert(count, "/")
    return " ".join(spelled)


def _is_number_tree(value: Any) -> bool:
    import jax

    leaves = jax.tree_util.tree_leaves(value)
    return bool(leaves) and all(isinstance(leaf, (bool, int, float)) for leaf in leaves)


class Prober:
    """Runs samples under ``jax.jit`` with the imports and arrays made once."""

    def __init__(self) -> None:
        self.names = _namespace()
        self.arrays = _arrays()

    def evaluate(self, text: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
        """Turn the text of keyword arguments into a dict."""
        return dict(eval(f"dict({text})", {**self.names, **arrays}))

    def candidates(self, text: str, target: Any) -> dict[str, Any]:
        """Python numbers among the arguments and defaults of a call, to be traced one by one."""
        given = self.evaluate(text, self.arrays)
        found = {
            p.name: p.default
            for p in _parameters(target)
            if p.name not in given
            and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.POSITIONAL_ONLY)
            and p.default is not p.empty
        }
        found.update(given)
        return {
            name: value
            for name, value in found.items()
            if name not in _SKIPPED_PARAMETERS
            and not name.startswith("_")
            and _is_number_tree(value)
        }

    def trace(self, body: Callable[[Mapping[str, Any], Any], Any], extra: Any) -> Any:
        """Classify what ``body(arrays, extra)`` gives while jit traces it, both traced."""
        import jax

        seen: list[Any] = []

        def traced(arrays: Any, extra: Any) -> None:
            seen.append(body(arrays, extra))  # jitlint: ignore[JIT202]

        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            jitted: Any = jax.jit(traced)
            jitted.eval_shape(self.arrays, extra)
        return seen[-1]

    def run(
        self,
        target: Any,
        texts: Mapping[str, str],
        body: Callable[[dict[str, dict[str, Any]]], Any],
        targets: Mapping[str, Any],
    ) -> Row:
        """Measure one call made of one or more argument lists.

        Args:
            target: the function or class.
            texts: sample text by part ("" for a plain call, "call" for the call of the instance).
            body: makes the call from the evaluated parts and gives what is to be classified.
            targets: the callable whose signature each part follows.
        """
        row: Row = {}

        def attempt(part: str | None, name: str | None, value: Any) -> Any:
            def call(arrays: Mapping[str, Any], extra: Any) -> Any:
                evaluated = {key: self.evaluate(text, arrays) for key, text in texts.items()}
                if part is not None and name is not None:
                    evaluated[part][name] = extra
                return body(evaluated)

            return self.trace(call, value)

        try:
            row.update(attempt(None, None, 0))
        except Exception as failure:
            row["returns"] = "raises"
            row["fails"] = type(failure).__name__
            return row
        for part, text in texts.items():
            if part not in targets:
                continue
            bad: dict[str, str] = {}
            good: list[str] = []
            for name, value in sorted(self.candidates(text, targets[part]).items()):
                try:
                    attempt(part, name, value)
                except Exception as failure:
                    bad[name] = type(failure).__name__
                else:
                    good.append(name)
            prefix = part + "_" if part else ""
            if bad:
                row[prefix + "must_be_static"] = bad
            if good:
                row[prefix + "traced_ok"] = " ".join(good)
        return row

    def function(self, name: str, text: str) -> Row:
        """Measure a plain function."""
        target = resolve(name)

        def body(parts: dict[str, dict[str, Any]]) -> Row:
            arguments = parts[""]
            positional = arguments.pop("_args", ())
            return {"returns": classify(target(*positional, **arguments))}

        row = {"kind": "class" if inspect.isclass(target) else "function"}
        return row | self.run(target, {"": text}, body, {"": target})

    def haiku_function(self, name: str, text: str) -> Row:
        """Measure a function that needs a running Haiku transform."""
        target = resolve(name)
        hk, key = self.names["hk"], "K"

        def body(parts: dict[str, dict[str, Any]]) -> Row:
            result: list[str] = []

            def inside() -> None:
                hk.get_state("s", (4,), init=self.names["jnp"].ones)
                arguments = self.evaluate(text, parts["_arrays"])
                arguments.update(parts[""])
                result.append(classify(target(**arguments)))

            transformed = hk.transform_with_state(inside)
            random = parts["_arrays"][key]
            params, state = transformed.init(random)
            transformed.apply(params, state, random)
            return {"returns": result[-1]}

        return {"kind": "function"} | self._haiku(target, {"": text}, body, {"": target})

    def _haiku(
        self,
        target: Any,
        texts: Mapping[str, str],
        body: Callable[[dict[str, Any]], Row],
        targets: Mapping[str, Any],
    ) -> Row:
        """Like :meth:`run`, with samples evaluated late: they build Haiku modules."""
        row: Row = {}

        def attempt(part: str | None, name: str | None, value: Any) -> Any:
            def call(arrays: Mapping[str, Any], extra: Any) -> Any:
                parts: dict[str, Any] = {key: {} for key in texts}
                parts["_arrays"] = arrays
                if part is not None and name is not None:
                    parts[part][name] = extra
                return body(parts)

            return self.trace(call, value)

        try:
            row.update(attempt(None, None, 0))
        except Exception as failure:
            return {"returns": "raises", "fails": type(failure).__name__}
        hk = self.names["hk"]
        for part, text in texts.items():
            bad: dict[str, str] = {}
            good: list[str] = []
            found: dict[str, Any] = {}

            def collect(found: dict[str, Any] = found, part: str = part, text: str = text) -> None:
                found.update(self.candidates(text, targets[part]))

            hk.transform(collect).init(self.arrays["K"])
            for name, value in sorted(found.items()):
                try:
                    attempt(part, name, value)
                except Exception as failure:
                    bad[name] = type(failure).__name__
                else:
                    good.append(name)
            prefix = part + "_" if part else ""
            if bad:
                row[prefix + "must_be_static"] = bad
            if good:
                row[prefix + "traced_ok"] = " ".join(good)
        return row

    def schedule(self, name: str, text: str) -> Row:
        """Measure a learning-rate schedule, called with a traced count."""
        target = resolve(name)

        def body(parts: dict[str, dict[str, Any]]) -> Row:
            arguments = parts[""]
            made = target(**arguments)
            count = self.evaluate("n=N", parts["_arrays"])["n"]
            return {"returns": classify(made), "call_returns": classify(made(count))}

        def with_arrays(parts: dict[str, dict[str, Any]]) -> Row:
            return body({"": parts[""], "_arrays": parts["_arrays"]})

        # "_arrays" is evaluated like any other part, so that the count is the traced one.
        texts = {"": text, "_arrays": "N=N"}
        return {"kind": "function"} | self.run(target, texts, with_arrays, {"": target})

    def gradient_transformation(self, name: str, text: str) -> Row:
        """Measure an optax transformation: build it, ``init`` and ``update``."""
        target = resolve(name)

        def body(parts: dict[str, dict[str, Any]]) -> Row:
            arguments = parts[""]
            extra = arguments.pop("_extra", {})
            positional = arguments.pop("_args", ())
            params = arguments.pop("_params", parts["_arrays"]["P"])
            made = target(*positional, **arguments)
            state = made.init(params)
            updates = params if hasattr(params, "shape") else parts["_arrays"]["P"]
            made.update(updates, state, params, **extra)
            return {"returns": classify(made)}

        texts = {"": text, "_arrays": "P=P"}
        return {"kind": "function"} | self.run(target, texts, body, {"": target})

    def layer(self, name: str, built: str, called: str) -> Row:
        """Measure a layer: what calling an instance gives, which arguments must be static."""
        target = resolve(name)
        framework = name.split(".")[0] if not name.startswith("flax.") else name.split(".")[1]
        targets = {"": target, "call": target.__call__}
        if framework == "haiku":
            row = self._haiku_layer(target, built, called, targets)
        else:
            make = {"linen": self._linen, "nnx": self._nnx, "equinox": self._equinox}[framework]
            texts = {"": built, "call": called, "_arrays": "K=K"}
            row = self.run(target, texts, lambda parts: make(target, parts), targets)
        row["call_parameters"] = _spelled(_parameters(target.__call__))
        return {"kind": "module_class"} | row

    def _linen(self, target: Any, parts: dict[str, dict[str, Any]]) -> Row:
        positional = parts["call"].pop("_args", ())
        key = parts["_arrays"]["K"]
        module = target(**parts[""])
        if not isinstance(module, self.names["nn"].Module):  # BatchApply is a plain wrapper
            return {"returns": "object", "call_returns": classify(module(*positional))}
        result, _ = module.init_with_output(
            {"params": key, "dropout": key}, *positional, **parts["call"]
        )
        return {"returns": "object", "call_returns": classify(result)}

    def _nnx(self, target: Any, parts: dict[str, dict[str, Any]]) -> Row:
        built, called = parts[""], parts["call"]
        first, positional = built.pop("_args", ()), called.pop("_args", ())
        rngs = self.names["nnx"].Rngs(parts["_arrays"]["K"])
        if any(p.name == "rngs" for p in _parameters(target)):
            built = {**built, "rngs": rngs}
        if target.__name__ == "Dropout":
            called = {**called, "rngs": rngs}
        module = target(*first, **built)
        return {"returns": "object", "call_returns": classify(module(*positional, **called))}

    def _equinox(self, target: Any, parts: dict[str, dict[str, Any]]) -> Row:
        import jax

        eqx = self.names["eqx"]
        positional = parts["call"].pop("_args", ())
        if target.__name__ in ("BatchNorm", "SpectralNorm"):
            layer, state = eqx.nn.make_with_state(target)(**parts[""])
            if target.__name__ == "SpectralNorm":
                result = layer(state=state, **parts["call"])
            else:
                kept: list[str] = []

                def one(x: Any) -> Any:
                    out = layer(**{**parts["call"], "x": x}, state=state)
                    kept.append(classify(out))
                    return out[0]

                jax.vmap(one, axis_name="batch")(parts["call"]["x"])
                return {"returns": "object", "call_returns": kept[-1]}
        else:
            result = target(**parts[""])(*positional, **parts["call"])
        return {"returns": "object", "call_returns": classify(result)}

    def _haiku_layer(self, target: Any, built: str, called: str, targets: Mapping[str, Any]) -> Row:
        hk = self.names["hk"]

        def body(parts: dict[str, Any]) -> Row:
            result: list[str] = []
            arrays = parts["_arrays"]

            def inside() -> None:
                first = {**self.evaluate(built, arrays), **parts[""]}
                second = {**self.evaluate(called, arrays), **parts["call"]}
                positional = second.pop("_args", ())
                result.append(classify(target(**first)(*positional, **second)))

            transformed = hk.transform_with_state(inside)
            params, state = transformed.init(arrays["K"])
            transformed.apply(params, state, arrays["K"])
            return {"returns": "object", "call_returns": result[-1]}

        return self._haiku(target, {"": built, "call": called}, body, targets)


@cache
def _aliases() -> tuple[dict[int, set[str]], dict[str, str]]:
    """Public names by object identity, and the names that are plainly JAX's own."""
    jax_names: dict[int, str] = {}
    for module_name in SAME_AS_MODULES:
        module = importlib.import_module(module_name)
        for name in dir(module):
            value = getattr(module, name, None)
            if not name.startswith("_") and callable(value):
                jax_names.setdefault(id(value), f"{module_name}.{name}")
    by_object: dict[int, set[str]] = {}
    same_as: dict[str, str] = {}
    for module_name in ALIAS_MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        for name in dir(module):
            if name.startswith("_"):
                continue
            value = getattr(module, name, None)
            if not callable(value) or inspect.ismodule(value):
                continue
            spelled = f"{module_name}.{name}"
            if id(value) in jax_names:
                same_as[spelled] = jax_names[id(value)]
                continue
            origin = str(getattr(value, "__module__", "") or "")
            if origin.split(".")[0] not in ("optax", "flax", "equinox", "haiku", "chex", "jmp"):
                continue
            names = by_object.setdefault(id(value), set())
            names.add(spelled)
            qualname = str(getattr(value, "__qualname__", ""))
            if qualname.isidentifier() and origin.split(".")[0] == module_name.split(".")[0]:
                names.add(f"{origin}.{qualname}")
    return by_object, same_as


def facts(only: str = "") -> dict[str, Row]:
    """Measure all functions and layers whose name starts with ``only``."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    prober = Prober()
    plans: list[tuple[str, Callable[[], Row]]] = []
    for name, text in samples.FUNCTIONS.items():
        plans.append((name, partial(prober.function, name, text)))
    for name, text in samples.HAIKU_FUNCTIONS.items():
        plans.append((name, partial(prober.haiku_function, name, text)))
    for name, text in samples.SCHEDULES.items():
        plans.append((name, partial(prober.schedule, name, text)))
    for name, text in samples.GRADIENT_TRANSFORMATIONS.items():
        plans.append((name, partial(prober.gradient_transformation, name, text)))
    for name, (built, called) in samples.LAYERS.items():
        plans.append((name, partial(prober.layer, name, built, called)))
    rows: dict[str, Row] = {}
    for name, plan in plans:
        if name.startswith(only):
            row = plan()
            parameters = _spelled(_parameters(resolve(name)))
            if parameters:
                row["parameters"] = parameters
            row.update(samples.CORRECTIONS.get(name, {}))
            rows[name] = {key: value for key, value in row.items() if value != ""}
    for name, (like, note) in samples.LIKE.items():
        if name.startswith(only) and like in rows:
            row = {**rows[like], "evidence": "doc", "note": note}
            row["parameters"] = _spelled(_parameters(resolve(name)))
            rows[name] = row
    return rows


class Recorder:
    """Watches the callables of one program while it runs."""

    def __init__(self) -> None:
        self.runs = 0
        self.seen: dict[str, Row] = {}

    def reset(self) -> None:
        """Forget what ran so far."""
        self.runs = 0
        self.seen.clear()

    def watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a callable so that its arguments are recorded."""

        @wraps(function)
        def watched(*arguments: Any, **keywords: Any) -> Any:
            self.runs += 1
            given = [*arguments, *keywords.values()]
            abstract = _lacks_values(given)
            # A loop may try its condition on concrete values first: the traced run counts.
            if name not in self.seen or (abstract and not self.seen[name]["abstract"]):
                self.seen[name] = {
                    "abstract": abstract,
                    "receives": " ".join(_kind(value) for value in given),
                }
            return function(*arguments, **keywords)

        return watched


def _kind(value: Any) -> str:
    import jax

    leaves = jax.tree_util.tree_leaves(value)
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        return "traced"
    if any(hasattr(leaf, "dtype") and hasattr(leaf, "shape") for leaf in leaves):
        return "array"
    if leaves and all(isinstance(leaf, (bool, int, float)) for leaf in leaves):
        return "python"
    return "object"


def _lacks_values(given: list[Any]) -> bool:
    import jax

    for leaf in jax.tree_util.tree_leaves(given):
        if isinstance(leaf, jax.Array) and getattr(leaf.dtype, "kind", None) in set("biuf"):
            try:
                bool((leaf * 0).sum() == 0)
            except jax.errors.ConcretizationTypeError:
                return True
    return False


def _parse_functions(text: str) -> list[Row]:
    arguments: list[Row] = []
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        head, _, passes = part.partition(":")
        index, name = head.split()
        argument: Row = {"name": name.removesuffix("[]"), "passes": passes.strip()}
        if index != "-":
            argument["index"] = int(index)
        if name.endswith("[]"):
            argument["sequence"] = True
        arguments.append(argument)
    return arguments


def transforms(only: str = "") -> dict[str, Row]:
    """Run the programs of ``TRANSFORMS``, eagerly, and describe every entry point."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    rows: dict[str, Row] = {}
    names, arrays = _namespace(), _arrays()
    for name, spec in TRANSFORMS.items():
        if not name.startswith(only):
            continue
        spec = dict(spec)
        functions = _parse_functions(spec.pop("functions"))
        setup, call = spec.pop("setup"), spec.pop("call")
        row: Row = {"functions": functions, **spec}
        if call:
            recorder = Recorder()
            scope = {**names, **arrays, "R": recorder.watch, "RESET": recorder.reset}
            try:
                exec(setup, scope)
                exec(call, scope)
                first = recorder.runs
                exec(call, scope)
            except Exception as failure:
                sys.stderr.write(f"{name}: {type(failure).__name__}: {failure}" + "\n")
                row["evidence"] = "doc"
            else:
                row["cached"] = recorder.runs == first
                for argument in functions:
                    argument.update(recorder.seen.get(argument["name"], {}))
                row["abstract"] = any(f.get("abstract", False) for f in functions)
                if not recorder.seen:
                    sys.stderr.write(f"{name}: no callable ran" + "\n")
        else:
            row["evidence"] = "doc"
        rows[name] = {
            key: value
            for key, value in row.items()
            if value not in (False, "") or key == "functions"
        }
    return rows


def classes(only: str = "") -> dict[str, Row]:
    """Pass an instance of every class of ``CLASSES`` to ``jax.jit`` and look at its fields."""
    import jax

    warnings.simplefilter("ignore")
    rows: dict[str, Row] = {}
    names, arrays = _namespace(), _arrays()
    for name, spec in CLASSES.items():
        if not name.startswith(only):
            continue
        row = dict(spec)
        program = row.pop("probe", "")
        own_fields = row.pop("own_fields", False)
        if program:
            # A module of its own, since dataclasses look up the module of a class by name.
            scope: dict[str, Any] = {**names, **arrays, "__name__": __name__}
            exec(program, scope)
            row.update(_instance_facts(name, scope["instance"], row, jax))
        else:
            row["evidence"] = "doc"
        if own_fields:
            row.pop("traced_fields", None)
            row.pop("static_fields", None)
        rows[name] = row
    return rows


def named_tuple_classes(only: str = "") -> dict[str, Row]:
    """Rows for the state classes of optax: all NamedTuples, hence pytrees of traced fields."""
    rows: dict[str, Row] = {}
    for module_name in ("optax", "optax.contrib"):
        module = importlib.import_module(module_name)
        for attribute in dir(module):
            value, name = getattr(module, attribute), f"{module_name}.{attribute}"
            if not inspect.isclass(value) or not issubclass(value, tuple):
                continue
            if name.startswith(only) and attribute.endswith("State"):
                rows[name] = {
                    "role": "instance", "pytree": True, "fields": "traced", "frozen": True,
                    "hashable": False, "methods": {"_replace": "same"}, "evidence": "doc",
                }  # fmt: skip
                if names := getattr(value, "_fields", ()):
                    rows[name]["traced_fields"] = " ".join(names)
    return rows


def _instance_facts(name: str, instance: Any, row: Row, jax: Any) -> Row:
    found: Row = {}
    leaves = jax.tree_util.tree_leaves(instance)
    found["pytree"] = not (len(leaves) == 1 and leaves[0] is instance)
    try:
        hash(instance)
    except TypeError:
        found["hashable"] = False
    claimed = [(field, "traced") for field in row.get("traced_fields", "").split()]
    claimed += [(field, "static") for field in row.get("static_fields", "").split()]

    def traced(received: Any) -> None:
        for field, claim in claimed:
            kind = _kind(getattr(received, field))
            if (kind == "traced") != (claim == "traced"):
                sys.stderr.write(f"{name}.{field}: claimed {claim}, is {kind}" + "\n")

    try:
        jax.jit(traced).eval_shape(instance)
    except Exception as failure:
        found["exceptions"] = type(failure).__name__
    if claimed:
        field = claimed[0][0]
        try:
            setattr(instance, field, getattr(instance, field))
        except (AttributeError, TypeError):
            found["frozen"] = True
        else:
            if row.get("frozen"):
                sys.stderr.write(f"{name}: claimed frozen, is not" + "\n")
    return found


def _alias_map(canonical: Iterable[str]) -> dict[str, str]:
    """Every further public spelling of the canonical names."""
    by_object, _ = _aliases()
    found: dict[str, str] = {}
    for name in canonical:
        try:
            target = resolve(name)
        except (LookupError, AttributeError):
            continue
        for alias in by_object.get(id(target), ()):
            found.setdefault(alias, name)
    for name in canonical:
        found.pop(name, None)
    return found


def facts_document(only: str = "") -> Row:
    """Everything that ``data/frameworks.json`` holds."""
    functions, held = facts(only), named_tuple_classes(only) | classes(only)
    _, same_as = _aliases()
    return {
        "meta": versions(),
        "aliases": _alias_map([*functions, *held]),
        "same_as": {name: origin for name, origin in same_as.items() if name.startswith(only)},
        "classes": held,
        "functions": functions,
    }


def transforms_document(only: str = "") -> Row:
    """Everything that ``data/framework_transforms.json`` holds."""
    rows = transforms(only)
    aliases = _alias_map(rows)
    aliases.update({k: v for k, v in TRANSFORM_ALIASES.items() if v in rows})
    return {"meta": versions(), "aliases": aliases, "transforms": rows}


def versions() -> dict[str, str]:
    """Versions of the packages the rows were measured with."""
    from importlib.metadata import version

    return {
        name: version(name)
        for name in ("jax", "optax", "flax", "equinox", "dm-haiku", "chex", "jmp")
    }


def render(document: Row) -> str:
    """JSON with one row a line, sorted by name."""
    sections = []
    for section, rows in document.items():
        lines = [f"{json.dumps(k)}: {json.dumps(rows[k], sort_keys=True)}" for k in sorted(rows)]
        sections.append(f'"{section}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def differences(stored: Row, measured: Row, only: str = "") -> list[str]:
    """One line for every row that two documents do not share."""
    found: list[str] = []
    for section in sorted(set(stored) | set(measured)):
        if section == "meta":
            continue
        before = {k: v for k, v in stored.get(section, {}).items() if k.startswith(only)}
        after = {k: v for k, v in measured.get(section, {}).items() if k.startswith(only)}
        for name in sorted(before | after):
            if before.get(name) != after.get(name):
                found.append(
                    f"{section} {name}: stored {before.get(name)}, measured {after.get(name)}"
                )
    return found


def main(arguments: list[str] | None = None) -> int:
    """Entry point of the module; gives the exit status."""
    parser = argparse.ArgumentParser(prog="probe_frameworks", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the stored rows")
    parser.add_argument("--write", action="store_true", help="replace the stored rows")
    parser.add_argument("--only", default="", metavar="PREFIX", help="restrict to these names")
    options = parser.parse_args(arguments)
    if options.write and options.only:
        parser.error("--write needs all names")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    status = 0
    for path, document in (
        (FACTS_FILE, facts_document(options.only)),
        (TRANSFORMS_FILE, transforms_document(options.only)),
    ):
        if options.write:
            path.write_text(render(document), encoding="utf-8")
        elif options.check:
            stored = json.loads(path.read_text(encoding="utf-8"))
            for line in differences(stored, document, options.only):
                sys.stdout.write(line + "\n")
                status = 1
        else:
            sys.stdout.write(render(document))
    return status


if __name__ == "__main__":
    sys.exit(main())
