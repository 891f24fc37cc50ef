"""The table of functions: everything that the covered modules have, one row each."""

from __future__ import annotations

import importlib
import inspect
import sys
import warnings
from collections.abc import Mapping
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy

from tools.probes import recipes
from tools.probes.documents import Document, Row
from tools.probes.function_calls import Subject, compact_signature, public_exception
from tools.probes.function_rows import Prober
from tools.probes.names import resolve
from tools.probes.quiet import quiet

_MISSING: Final = object()


def public_names(module: Any) -> list[str]:
    """Give the public names of a module, sorted, without modules and what typing brings in."""
    names = []
    # SciPy's modules import much that is not theirs, and say what is.
    declared = module.__all__ if module.__name__.startswith("scipy") else dir(module)
    for name in sorted(set(declared)):
        if name.startswith("_") or name in {"annotations", "Any", "test"}:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(module, name, _MISSING)
        if value is _MISSING or inspect.ismodule(value):
            continue
        names.append(name)
    # The name that a function gives itself comes before its other names, so that it has the row.
    return sorted(
        names, key=lambda name: (getattr(getattr(module, name), "__name__", "") != name, name)
    )


class TableBuilder:
    """Collects the sections of the table.

    Args:
      stored: the stored document.
      only: prefix of the names to probe.
    """

    def __init__(self, stored: Document, only: str = "") -> None:
        self.stored = stored
        self.stored_rows: Mapping[str, Row] = stored.get("functions", {})
        self.only = only
        self.prober = Prober()
        self.rows: dict[str, Row] = {}
        self.aliases: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        self.attributes: dict[str, str] = {}
        self.modules: set[str] = set(recipes.OTHER_MODULES)
        self.seen: dict[
            tuple[str, int], tuple[str, Any]
        ] = {}  # keeps the objects alive, so ids stay theirs

    def build(self) -> dict[str, Any]:
        """Probe everything and give the document."""
        self.add_jax()
        self.add_array_members()
        self.add_python()
        self.add_numpy()
        versions = {
            "jax": jax.__version__,
            "numpy": numpy.__version__,
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        }
        try:
            import scipy  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            self.keep_rows("scipy.")
            self.modules.update(recipes.SCIPY_MODULES)
        else:
            versions["scipy"] = scipy.__version__
            self.add_scipy()
        return {
            "aliases": self.aliases,
            "attributes": self.attributes,
            "constants": self.constants,
            "functions": self.rows,
            "modules": sorted(self.modules),
            "versions": versions,
        }

    def keep_rows(self, prefix: str) -> None:
        """Take the stored rows of a library that is not installed."""
        sections: list[tuple[str, dict[str, Any]]] = [
            ("functions", self.rows),
            ("aliases", self.aliases),
            ("constants", self.constants),
        ]
        for title, section in sections:
            kept: Mapping[str, Any] = self.stored.get(title, {})
            section.update({name: row for name, row in kept.items() if name.startswith(prefix)})

    def store(self, name: str, row: Row | None) -> None:
        """Store a probed row, or the stored one as documentation when nothing was found out."""
        if row is None:
            kept = self.stored_rows.get(name)
            if kept is None:
                return
            row = {**kept, "evidence": "doc"}
            if name in recipes.RETURNS:
                row["returns"] = recipes.RETURNS[name]
        elif "documented_static" in self.stored_rows.get(name, {}):
            documented = [
                parameter
                for parameter in self.stored_rows[name]["documented_static"].split()
                if parameter not in row.get("must_be_static", {})
            ]
            if documented:
                row["documented_static"] = " ".join(documented)
        self.rows[name] = {
            key: value
            for key, value in row.items()
            if value not in ("", {}, None, False) or key == "parameters"
        }
        if self.rows[name].get("returns") == "array":
            del self.rows[name]["returns"]  # the loader's default

    def wanted(self, name: str) -> bool:
        """Tell whether a name is to be probed in this run."""
        return name.startswith(self.only)

    def add_object(self, name: str, value: Any, numpy_like: bool, classes: bool = False) -> None:
        """Add one public object of a module: as constant, alias or row."""
        if name in recipes.SKIPPED:
            self.store(name, None)
            return
        if name.startswith("jax.lax.") and name.endswith("_p"):
            return  # a primitive, which user programs do not call
        if getattr(type(value), "__module__", "") in {"typing", "types"} and hasattr(
            value, "__origin__"
        ):
            self.constants[name] = "type"
            return
        if value is None or isinstance(value, (bool, int, float, complex, str, tuple, list, dict)):
            self.constants[name] = "static"
            return
        if isinstance(value, numpy.dtype):
            self.constants[name] = "static"
            return
        if isinstance(value, type):
            if isinstance(getattr(value, "dtype", None), numpy.dtype):
                self.constants[name] = "dtype"  # jax.numpy.float32 and its like
            elif issubclass(value, numpy.generic):
                self.constants[name] = "dtype"
                if not numpy_like:
                    return  # an abstract class of scalars, such as jax.numpy.floating
            elif issubclass(value, BaseException) or not (classes or name in recipes.RECIPES):
                self.constants[name] = "type"
                self.store(name, None)
                return
        elif not callable(value):
            self.constants[name] = "static"
            return
        # NumPy's own functions that jax.numpy exports keep a row under each library's name.
        identity = (name.split(".", maxsplit=1)[0], id(value))
        twin = self.seen.get(identity)
        if twin is not None and not isinstance(value, type):
            self.aliases[name] = twin[0]
            return
        self.seen[identity] = (name, value)
        if not self.wanted(name):
            return
        signature = compact_signature(value)
        if self.constants.get(name) == "dtype" and not numpy_like:
            self.store(name, {"parameters": "x"})  # a scalar type called as a conversion
            return
        subject = Subject(name, value, signature, numpy_like)
        self.store(name, self.prober.probe(subject))

    def add_jax(self) -> None:
        """Add the functions of JAX."""
        for module_name in recipes.JAX_MODULES:
            try:
                module = resolve(module_name)
            except (AttributeError, ImportError):
                continue  # a module that this release of JAX does not have
            self.modules.add(module_name)
            for name in public_names(module):
                self.add_object(f"{module_name}.{name}", getattr(module, name), numpy_like=False)
        for name in sorted({*recipes.RECIPES, *recipes.RETURNS, *self.stored_rows}):
            if name.count(".") != 1 or not name.startswith("jax.") or name in self.rows:
                continue
            try:
                value = resolve(name)
            except AttributeError:
                continue
            self.add_object(name, value, numpy_like=False)

    def add_array_members(self) -> None:
        """Add the attributes and methods of a tracer."""
        concrete = jnp.ones((3, 4))
        members: dict[str, Any] = {}

        def body(tracer: Any) -> None:
            for name in sorted({n for n in dir(concrete) if not n.startswith("_")}):
                try:
                    members[name] = getattr(tracer, name)
                except Exception as error:  # whatever reading it raises is the measurement
                    members[name] = error
                if isinstance(members[name], jax.core.Tracer):
                    members[name] = "array"

        jax.make_jaxpr(body)(concrete)
        for name, value in members.items():
            if name == "at":
                self.attributes[name] = "at"
            elif isinstance(value, Exception) or (
                not isinstance(value, str) and callable(value) and not isinstance(value, type)
            ):
                self.add_array_member(name, concrete, value)
            else:
                self.attributes[name] = "array" if value == "array" else "static"
        self.add_array_member("__getitem__", concrete, None)
        for name in ("__array__", "__dlpack__"):
            self.add_array_member(name, concrete, None)
        for name in recipes.NUMPY_ONLY_ATTRIBUTES:
            self.attributes.setdefault(name, "missing AttributeError")
        for name in recipes.NUMPY_ONLY_METHODS:
            self.rows.setdefault(
                f"jax.Array.{name}", {"fails": "AttributeError", "returns": "unknown"}
            )

    def add_array_member(self, name: str, concrete: Any, value: Any) -> None:
        """Add a method, or an attribute that cannot be read from a tracer."""
        try:
            method = getattr(concrete, name)
        except Exception:  # some attributes cannot be read from any array
            method = None
        if isinstance(value, Exception) and (method is None or not callable(method)):
            exception = public_exception(value)
            absent = exception in {"AttributeError", "NotImplementedError"}
            kind = "missing" if absent else "concretizes"
            self.attributes[name] = f"{kind} {exception}"
            return
        qualified = f"jax.Array.{name}"
        if not self.wanted(qualified):
            return
        signature = compact_signature(method)
        if isinstance(value, AttributeError):
            missing: Row = {"fails": "AttributeError", "returns": "unknown"}
            if signature is None and _takes_nothing(name):
                signature = ""
            if signature is not None:
                missing["parameters"] = signature
            self.store(qualified, missing)
            return

        def called(self_: Any, *args: Any, **kwargs: Any) -> Any:
            return getattr(jnp.asarray(self_), name)(*args, **kwargs)

        parameters: list[inspect.Parameter] = []
        if signature is not None:
            parameters = list(inspect.signature(method).parameters.values())
        first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        called.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [first, *parameters]
        )
        subject = Subject(qualified, called, compact_signature(called))
        row = self.prober.probe(subject)
        if row is not None:
            row.pop("fails_parameters", None)
            row.pop("parameters", None)
            if signature is not None:
                row["parameters"] = signature
            dependence = row.get("data_dependent")
            if dependence is not None and "escapes" not in dependence:
                del row["data_dependent"]  # .item(): it needs the value, not the shape
                row["fails"] = dependence["exceptions"]
                row["returns"] = "unknown"
        self.store(qualified, row)

    def add_python(self) -> None:
        """Add builtins and the standard library."""
        for name, (text, letters) in recipes.PYTHON_CALLS.items():
            if self.wanted(name):
                self.store(name, self.prober.probe_expression(name, text, letters))
            self.modules.add(name.split(".")[0])
        for module_name in ("math", "cmath", "operator"):
            self.modules.add(module_name)
            module = importlib.import_module(module_name)
            for name in public_names(module):
                qualified = f"{module_name}.{name}"
                value = getattr(module, name)
                if not callable(value):
                    self.constants[qualified] = "static"
                elif qualified not in recipes.PYTHON_CALLS and self.wanted(qualified):
                    self.store(qualified, self.prober.probe_scalar_function(qualified, value))

    def add_numpy(self) -> None:
        """Add the functions of NumPy."""
        for module_name in recipes.NUMPY_MODULES:
            module = resolve(module_name)
            self.modules.add(module_name)
            for name in public_names(module):
                value = getattr(module, name)
                qualified = f"{module_name}.{name}"
                if qualified in recipes.PYTHON_CALLS:
                    continue
                if isinstance(value, type) and name in {"ndarray", "generic", "dtype", "object_"}:
                    self.constants[qualified] = "type"
                    self.store(qualified, None)
                    continue
                self.add_object(qualified, value, numpy_like=True, classes=name in {"vectorize"})

    def add_scipy(self) -> None:
        """Add the functions of SciPy."""
        for module_name in recipes.SCIPY_MODULES:
            module = resolve(module_name)
            self.modules.add(module_name)
            for name in public_names(module):
                value = getattr(module, name)
                if module_name == "scipy.interpolate" or not isinstance(value, type):
                    self.add_object(f"{module_name}.{name}", value, numpy_like=True, classes=True)
        for distribution in recipes.SCIPY_DISTRIBUTIONS:
            for method in recipes.SCIPY_DISTRIBUTION_METHODS:
                name = f"scipy.stats.{distribution}.{method}"
                value = getattr(resolve(f"scipy.stats.{distribution}"), method, None)
                if value is not None and self.wanted(name):
                    self.store(name, self.prober.probe_blindly(Subject(name, value, None, True)))


def functions_document(stored: Document, only: str = "") -> dict[str, Any]:
    """Measure what ``data/functions.json`` holds.

    Args:
      stored: the stored document, for what cannot be called.
      only: prefix of the names to measure.
    """
    with quiet():
        return TableBuilder(stored, only).build()


def _takes_nothing(name: str) -> bool:
    """Whether a method of arrays, which need have no signature, refuses every argument."""
    method = getattr(jnp.ones(3), name, None)
    if not callable(method):
        return False
    for args, kwargs in (((3,), {}), ((), {"value": 3})):
        try:
            method(*args, **kwargs)
        except TypeError:
            continue
        return False
    return True
