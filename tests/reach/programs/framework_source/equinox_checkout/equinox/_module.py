"""Modules: dataclasses that are pytrees."""

import abc
import dataclasses

import jax.tree_util as jtu


def field(*, converter=None, static=False, **kwargs):
    metadata = dict(kwargs.pop("metadata", {}))
    metadata["static"] = static
    if converter is not None:
        metadata["converter"] = converter
    return dataclasses.field(metadata=metadata, **kwargs)


def _split(cls):
    names = dataclasses.fields(cls)
    dynamic = tuple(one.name for one in names if not one.metadata.get("static", False))
    static = tuple(one.name for one in names if one.metadata.get("static", False))
    return dynamic, static


class _ModuleMeta(abc.ABCMeta):
    def __new__(mcs, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcs, name, bases, namespace, **kwargs)
        cls = dataclasses.dataclass(eq=False, repr=False, init="__init__" not in namespace)(cls)

        def flatten(module):
            dynamic, static = _split(cls)
            leaves = tuple(getattr(module, key) for key in dynamic)
            return leaves, tuple((key, getattr(module, key)) for key in static)

        def unflatten(static, leaves):
            module = object.__new__(cls)
            for key, value in (*zip(_split(cls)[0], leaves), *static):
                object.__setattr__(module, key, value)
            return module

        jtu.register_pytree_node(cls, flatten, unflatten)
        return cls

    def __call__(cls, *args, **kwargs):
        self = cls.__new__(cls, *args, **kwargs)
        object.__setattr__(self, "_open", True)
        self.__init__(*args, **kwargs)
        for one in dataclasses.fields(cls):
            converter = one.metadata.get("converter")
            if converter is not None:
                setattr(self, one.name, converter(getattr(self, one.name)))
        object.__delattr__(self, "_open")
        return self


class Module(metaclass=_ModuleMeta):
    """The base class of models."""

    def __new__(cls, *args, **kwargs):
        return object.__new__(cls)

    def __setattr__(self, name, value):
        if "_open" not in vars(self):
            raise dataclasses.FrozenInstanceError(f"cannot assign to {name!r}")
        object.__setattr__(self, name, value)

    def __repr__(self):
        return type(self).__name__
