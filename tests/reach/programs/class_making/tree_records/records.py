"""A decorator for records that are pytrees, as several libraries have one."""

import dataclasses

import jax


def field(*, static=False, **options):
    """A field; static ones belong to the structure."""
    return dataclasses.field(metadata={"static": static}, **options)


def tree_record(cls=None, /, *, eq=False):
    """A dataclass, registered, with ``replace``."""

    def wrap(cls):
        cls = dataclasses.dataclass(frozen=True, eq=eq)(cls)
        names = dataclasses.fields(cls)
        meta = [one.name for one in names if one.metadata.get("static", False)]
        data = [one.name for one in names if one.name not in meta]
        jax.tree_util.register_dataclass(cls, data_fields=data, meta_fields=meta)
        cls.replace = lambda self, **changes: dataclasses.replace(self, **changes)
        return cls

    return wrap if cls is None else wrap(cls)
