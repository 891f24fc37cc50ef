"""Flow in a channel by the lattice Boltzmann method."""

from .channel import Channel, drive
from .lattice import D2Q9

__all__ = ["Channel", "D2Q9", "drive"]
