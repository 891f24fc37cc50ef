"""Names that are set in modules from afar, and whose object a method's ``self`` may be."""

from __future__ import annotations

from tests.linting import check_project

BACKENDS = """
    import jax.numpy as jnp
    import numpy as np

    class HostBackend:
        def join(self, parts):
            return np.concatenate(parts){label}

    class DeviceBackend:
        def join(self, parts):
            return jnp.concatenate(parts)

    def get_backend(name):
        return {{"host": HostBackend, "device": DeviceBackend}}[name]()
"""
EVOLUTION = """
    import jax
    from circuits.current import backend

    @jax.jit
    def step(x):
        return backend.join([x, x])
"""
CURRENT = """
    import sys
    from circuits.backends import HostBackend, get_backend

    backend: HostBackend = get_backend("host")
"""
SWITCH = """
    def set_backend(name):
        for module in sys.modules:
            if module.startswith("circuits"):
                setattr(sys.modules[module], "backend", get_backend(name))
"""


def _circuits(current: str, label: str) -> dict[str, str]:
    return {
        "circuits/__init__.py": "",
        "circuits/backends.py": BACKENDS.format(label=label),
        "circuits/current.py": current,
        "circuits/evolution.py": EVOLUTION,
    }


def test_a_name_that_is_set_in_every_module_may_be_anything() -> None:
    check_project(_circuits(CURRENT + SWITCH, ""))


def test_a_name_that_nobody_sets_is_what_it_was_made() -> None:
    check_project(_circuits(CURRENT, "  # JIT106"))


SAVED = """
    import abc
    import jax

    class _Meta(abc.ABCMeta):
        def __new__(mcls, name, bases, namespace):
            cls = super().__new__(mcls, name, bases, namespace)
            jax.tree_util.register_pytree_node(cls, cls.tree_flatten, cls.tree_unflatten)
            return cls

    class Saved(abc.ABC, metaclass=_Meta):
        def tree_flatten(self):
            return (vars(self),), None

        @classmethod
        def tree_unflatten(cls, _, children):
            made = cls.__new__(cls)
            made.__dict__.update(children[0])
            return made

    class Grid(Saved):
        def __init__(self, nodes):
            self.nodes = nodes
"""
OBJECTIVE = """
    import jax
    from shapes.saved import Saved

    class Objective(Saved):
        @jax.jit
        def push(self, v, x):
            return self._push(v, x)

        def _push(self, v, x):
            return v * x

    def is_projected(objective):
        from shapes.projected import Projected

        return isinstance(objective, Projected)
"""
PROJECTED = """
    import jax.numpy as jnp
    import numpy as np
    from shapes.saved import Saved

    class Projected(Saved):
        def push(self, v, x):
            return self._push(v, x)

        def _push(self, v, x):
            v, x = map(np.asarray, (v, x))
            return jnp.sum(v) * float(x)
"""


def test_the_object_of_a_method_is_of_no_other_class() -> None:
    check_project(
        {
            "shapes/__init__.py": "",
            "shapes/saved.py": SAVED,
            "shapes/objective.py": OBJECTIVE,
            "shapes/projected.py": PROJECTED,
        }
    )
