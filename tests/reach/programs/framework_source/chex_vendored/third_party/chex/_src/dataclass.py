"""Dataclasses that are mappings and pytrees."""

import collections.abc
import dataclasses

import jax


def dataclass(cls=None, *, frozen=False, mappable=True):
    """Like `dataclasses.dataclass`, and a pytree."""

    def dcls(cls):
        if mappable and not issubclass(cls, collections.abc.Mapping):
            bases = (collections.abc.Mapping, *cls.__bases__)
            members = {k: v for k, v in vars(cls).items() if k not in ("__dict__", "__weakref__")}
            members["__getitem__"] = lambda self, key: self.__dict__[key]
            members["__len__"] = lambda self: len(self.__dict__)
            members["__iter__"] = lambda self: iter(self.__dict__)
            cls = type(cls.__name__, tuple(b for b in bases if b is not object), members)
        made = dataclasses.dataclass(frozen=frozen, eq=False)(cls)
        names = [one.name for one in dataclasses.fields(made)]
        made.replace = lambda self, **kwargs: dataclasses.replace(self, **kwargs)
        jax.tree_util.register_dataclass(made, names, [])
        return made

    return dcls if cls is None else dcls(cls)
