"""A checkout of the parts of Flax that hold state."""

from flax import struct

__all__ = ["struct"]
