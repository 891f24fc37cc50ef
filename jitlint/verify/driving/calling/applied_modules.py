"""Methods of Flax and Haiku modules as functions: the module is initialised, then applied.

Runs in a child process only.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from jitlint.verify.recording.real_jax import real_jax


def linen_method(module: Any, name: str) -> Callable[..., Any]:
    """A method of a Flax module as a function that applies the module under jit.

    Args:
      module: the module.
      name: of the method.
    """
    jax = real_jax()
    name = "__call__" if name in ("setup", "__init__") else name
    method = getattr(module, name)

    @functools.wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        key = jax.random.key(0)
        variables = module.init({"params": key, "dropout": key}, *args, method=name, **kwargs)
        apply = functools.partial(module.apply, method=name, rngs={"dropout": key}, **kwargs)
        return jax.jit(lambda tree, *inputs: apply(tree, *inputs))(variables, *args)

    return run


def is_haiku_module(value: Any) -> TypeGuard[type]:
    """Whether something is a class of Haiku modules."""
    haiku = sys.modules.get("haiku")
    return haiku is not None and isinstance(value, type) and issubclass(value, haiku.Module)


def haiku_method(cls: type, name: str, make: Callable[[], Any]) -> Callable[..., Any]:
    """A method of a Haiku module as a function that applies the module under jit.

    Args:
      cls: the class of the module.
      name: of the method.
      make: makes a module, where modules may be made.
    """
    jax, haiku = real_jax(), sys.modules["haiku"]
    name = "__call__" if name == "__init__" else name
    method = getattr(cls, name)

    @functools.wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        def applied(*args: Any) -> Any:
            return getattr(make(), name)(*args, **kwargs)

        transformed, key = haiku.transform_with_state(applied), jax.random.key(0)
        params, state = transformed.init(key, *args)
        return _traced(jax, lambda *inputs: transformed.apply(params, state, key, *inputs), args)

    signature = inspect.signature(method)
    vars(run)["__signature__"] = signature.replace(parameters=[*signature.parameters.values()][1:])
    return run


def _traced(jax: Any, function: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Call a function under jit, where what is no array stays as it is."""
    arrays = {n: value for n, value in enumerate(args) if isinstance(value, jax.Array)}

    def call(arrays: dict[int, Any]) -> Any:
        return function(*(arrays.get(n, value) for n, value in enumerate(args)))

    return jax.jit(call)(arrays)
