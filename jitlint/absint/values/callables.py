"""Abstract values that can be called, and the classes, modules and objects that they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jitlint.absint.values.base import Value

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import ClassDefinition


class Function(Value):
    """A Python function of the project with the frames it closes over (innermost first)."""

    __slots__ = ("closure", "code", "defaults")

    def __init__(
        self,
        code: Code,
        closure: tuple[int, ...] = (),
        defaults: tuple[tuple[str, Value], ...] = (),
    ) -> None:
        self.code = code
        self.closure = closure
        self.defaults = defaults

    def key(self) -> tuple[Any, ...]:
        """The code by identity, the frames closed over and the defaults."""
        return (id(self.code), self.closure, self.defaults)


class BoundMethod(Value):
    """A function bound to its first argument."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: Value, receiver: Value) -> None:
        self.function = function
        self.receiver = receiver

    def key(self) -> tuple[Any, ...]:
        """The function and the object it is bound to."""
        return (self.function, self.receiver)


class ArrayMethod(Value):
    """``x.sum``: a method of an array, not yet called."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def key(self) -> tuple[Any, ...]:
        """The receiver and the name of the method."""
        return (self.receiver, self.name)


class ContainerMethod(Value):
    """``d.items``: a method of a list, dict, set, tuple or string, not yet called."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def key(self) -> tuple[Any, ...]:
        """The receiver and the name of the method."""
        return (self.receiver, self.name)


class Partial(Value):
    """``functools.partial(function, *args, **keywords)``.

    ``pytree`` is True for ``jax.tree_util.Partial``, which passes a transform; not part of
    equality.
    """

    __slots__ = ("args", "function", "keywords", "pytree")

    def __init__(
        self,
        function: Value,
        args: tuple[Value, ...],
        keywords: tuple[tuple[str, Value], ...],
        *,
        pytree: bool = False,
    ) -> None:
        self.function = function
        self.args = args
        self.keywords = keywords
        self.pytree = pytree

    def key(self) -> tuple[Any, ...]:
        """The function and the arguments bound to it."""
        return (self.function, self.args, self.keywords)


class Class(Value):
    """A class of the project."""

    __slots__ = ("closure", "definition", "module")

    def __init__(
        self, definition: ClassDefinition, module: ModuleIndex, closure: tuple[int, ...] = ()
    ) -> None:
        self.definition = definition
        self.module = module
        self.closure = closure

    def key(self) -> tuple[Any, ...]:
        """The definition by identity and the frames closed over."""
        return (id(self.definition), self.closure)


class External(Value):
    """A module, function, class or object of another library, by its qualified name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def key(self) -> tuple[Any, ...]:
        """The qualified name."""
        return (self.name,)


class ExternalInstance(Value):
    """An object made by calling an external class or factory (``nn.Dense(3)``)."""

    __slots__ = ("attributes", "cls")

    def __init__(self, cls: str, attributes: tuple[tuple[str, Value], ...] = ()) -> None:
        self.cls = cls
        self.attributes = attributes

    def key(self) -> tuple[Any, ...]:
        """The class and the attributes that are known."""
        return (self.cls, self.attributes)


class ModuleValue(Value):
    """A module of the project."""

    __slots__ = ("module",)

    def __init__(self, module: ModuleIndex) -> None:
        self.module = module

    def key(self) -> tuple[Any, ...]:
        """The name of the module."""
        return (self.module.name,)


class Transformed(Value):
    """A callable made by a transform: ``jax.jit(f)``, ``jax.vmap(f)`` ...

    Args:
      function: what is transformed.
      transform: qualified name of the transform.
      options: its keyword options as values (static_argnums, in_axes ...).
      place: where the transform was applied; not part of equality.
    """

    __slots__ = ("function", "options", "place", "transform")

    def __init__(
        self,
        function: Value,
        transform: str,
        options: tuple[tuple[str, Value], ...],
        place: Any,
    ) -> None:
        self.function = function
        self.transform = transform
        self.options = options
        self.place = place

    def key(self) -> tuple[Any, ...]:
        """Every field but the place."""
        return (self.function, self.transform, self.options)

    def option(self, name: str) -> Value | None:
        """The value of one option, None if it was not given."""
        for key, value in self.options:
            if key == name:
                return value
        return None


class Cached(Value):
    """A function under ``functools.lru_cache`` or ``functools.cache``."""

    __slots__ = ("function",)

    def __init__(self, function: Value) -> None:
        self.function = function

    def key(self) -> tuple[Any, ...]:
        """The function under the cache."""
        return (self.function,)


class Dispatched(Value):
    """A function under ``functools.singledispatch``: its default, which types replace.

    ``method`` is True under ``singledispatchmethod``, where the second argument decides.
    """

    __slots__ = ("function", "method")

    def __init__(self, function: Function, *, method: bool = False) -> None:
        self.function = function
        self.method = method

    def key(self) -> tuple[Any, ...]:
        """The default implementation, and whether it is a method."""
        return (self.function, self.method)


class Descriptor(Value):
    """``property``, ``staticmethod`` or ``classmethod`` around a function."""

    __slots__ = ("function", "kind")

    def __init__(self, kind: str, function: Value) -> None:
        self.kind = kind
        self.function = function

    def key(self) -> tuple[Any, ...]:
        """Which descriptor it is, and its function."""
        return (self.kind, self.function)


def base_function(value: Value) -> Function | None:
    """The function of the project under wrappers, None if there is none."""
    while True:
        if isinstance(value, Function):
            return value
        if isinstance(value, (Transformed, Partial, Cached, Dispatched, BoundMethod, Descriptor)):
            value = value.function
            continue
        return None


def partial_keywords(function: Value) -> set[str]:
    """The parameters that partial objects on the way to a function bind by name."""
    names: set[str] = set()
    while not isinstance(function, Function):
        if isinstance(function, Partial):
            names |= {name for name, _ in function.keywords}
        inner = getattr(function, "function", None)
        if not isinstance(inner, Value):
            break
        function = inner
    return names
