"""Functions of other libraries that call what they are given: again and again, or as a program."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

_MODULES: Final = ("scipy.optimize.", "scipy.integrate.")
_FUNCTIONS: Final = frozenset(
    {
        "matplotlib.animation.FuncAnimation",
        "numpy.apply_along_axis",
        "numpy.apply_over_axes",
        "scipy.stats.bootstrap",
        "scipy.stats.monte_carlo_test",
        "scipy.stats.permutation_test",
    }
)
#: methods of pools and tables that call a function for each element
_MAPPING: Final = frozenset({"map", "imap", "imap_unordered", "starmap"})
#: methods of windows, of what stands in them and of their events, with the position of the handler
#: that they call each time
_HANDLING: Final = MappingProxyType(
    {"mpl_connect": 1, "on_changed": 0, "on_clicked": 0, "on_submit": 0, "observe": 0}
)
#: what reads the command line, and calls the function that is the program
_LAUNCHING: Final = frozenset(
    {
        "absl.app.run",
        "argh.dispatch_command",
        "defopt.run",
        "fire.Fire",
        "jsonargparse.CLI",
        "jsonargparse.auto_cli",
        "plac.call",
        "typer.run",
        "tyro.cli",
    }
)


def launches(name: str) -> bool:
    """Whether a function of another library calls the one that it is given as a program."""
    return name in _LAUNCHING


#: libraries whose functions work with arrays, and call the functions that they are given as long as
#: they run, by the name of the package
_STEPPING: Final = frozenset("blackjax".split())


def calls_at_once(name: str) -> bool:
    """Whether a function of another library calls those that it is given before it returns."""
    return name.partition(".")[0] in _STEPPING and name.rpartition(".")[2] == "step"


def repeats(name: str) -> bool:
    """Whether a function of another library calls those that it is given several times."""
    if name.partition(".")[0] == "jax":
        return False
    return name in _FUNCTIONS or name.startswith(_MODULES) or maps(name.rpartition(".")[2])


def handler_of(method: str) -> int | None:
    """At which position a method of an unknown object takes what it calls at each event."""
    return _HANDLING.get(method)


def maps(method: str) -> bool:
    """Whether a method of an unknown object calls what it is given for each of some elements."""
    return method in _MAPPING
