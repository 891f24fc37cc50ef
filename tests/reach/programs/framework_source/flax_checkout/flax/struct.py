"""Dataclasses that are pytrees."""

import dataclasses
import functools
from typing import TypeVar, dataclass_transform

import jax

_T = TypeVar("_T")


def field(pytree_node=True, *, metadata=None, **kwargs):
    return dataclasses.field(metadata=(metadata or {}) | {"pytree_node": pytree_node}, **kwargs)


@dataclass_transform(field_specifiers=(field,), kw_only_default=False)
def dataclass(clz=None, **kwargs):
    """Create a class which can be passed to functional transformations."""
    if clz is None:
        return functools.partial(dataclass, **kwargs)
    if "_flax_dataclass" in clz.__dict__:
        return clz
    kwargs.setdefault("frozen", True)
    data_clz = dataclasses.dataclass(**kwargs)(clz)
    meta_fields, data_fields = [], []
    for field_info in dataclasses.fields(data_clz):
        if field_info.metadata.get("pytree_node", True):
            data_fields.append(field_info.name)
        else:
            meta_fields.append(field_info.name)

    def replace(self, **updates):
        """Returns a new object replacing the specified fields with new values."""
        return dataclasses.replace(self, **updates)

    data_clz.replace = replace
    jax.tree_util.register_dataclass(data_clz, data_fields, meta_fields)
    data_clz._flax_dataclass = True
    return data_clz


@dataclass_transform(field_specifiers=(field,), kw_only_default=False)
class PyTreeNode:
    """Base class for dataclasses that should act like a pytree node."""

    def __init_subclass__(cls, **kwargs):
        dataclass(cls, **kwargs)

    def __init__(self, *args, **kwargs):
        raise NotImplementedError

    def replace(self, **overrides):
        raise NotImplementedError
