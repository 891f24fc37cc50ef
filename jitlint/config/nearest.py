"""Which configuration holds for which file: the nearest above it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from jitlint.config.config_files import FILE_NAMES
from jitlint.config.configuration import Config, TracedCallable, config_in, load_config
from jitlint.usage_errors import UsageError


class Configurations:
    """The configurations of a request, read when they are first asked for.

    Args:
      start: the folder that the request is about.
      fixed: holds for every file, instead of what is found.
    """

    def __init__(self, start: Path, fixed: Config | None = None) -> None:
        self._fixed = fixed
        self._default = Config(base=start)
        self._of_folder: dict[Path, Config] = {}
        self.start = start

    @classmethod
    def of_file(cls, path: Path, start: Path) -> Configurations:
        """Those of a request that names its configuration file.

        Raises:
          UsageError: the file cannot be read, or a key or value is wrong.
        """
        return cls(start, load_config(path))

    @classmethod
    def none(cls, start: Path) -> Configurations:
        """Those of a request that wants none."""
        return cls(start, Config(base=start))

    @property
    def main(self) -> Config:
        """What holds for the folder that the request is about."""
        return self.of_folder(self.start)

    @property
    def read(self) -> list[Config]:
        """Those that were asked for, each once."""
        if self._fixed is not None:
            return [self._fixed]
        return list({id(config): config for config in self._of_folder.values()}.values())

    def of(self, path: Path) -> Config:
        """What holds for a file.

        Raises:
          UsageError: a key or value is wrong.
        """
        return self.of_folder(path.parent)

    def of_folder(self, folder: Path) -> Config:
        """What holds for the files in a folder.

        Raises:
          UsageError: a key or value is wrong.
        """
        if self._fixed is not None:
            return self._fixed
        known = self._of_folder.get(folder)
        if known is None:
            known = config_in(folder)
            if known is None:
                above = folder.parent
                known = self._default if above == folder else self.of_folder(above)
            self._of_folder[folder] = known
        return known

    def of_bystanders(self, folder: Path) -> Config:
        """What holds for files in a folder that nobody asked about.

        What is wrong there stops nothing: what holds above counts instead.
        """
        try:
            return self.of_folder(folder)
        except UsageError:
            above = folder.parent
            return self._default if above == folder else self.of_bystanders(above)

    def places(self, folders: Iterable[Path]) -> list[Path]:
        """Where a configuration that holds in some folders may stand, whether or not it does."""
        if self._fixed is not None:
            return self._fixed.files
        every = {above for folder in folders for above in (folder, *folder.parents)}
        found = {path: None for folder in sorted(every) for path in _places(folder)}
        # What a file extends may be called anything, and be anywhere.
        found.update((path, None) for config in self.read for path in config.files)
        return list(found)

    def whole(self, folders: Iterable[Path]) -> Config:
        """What holds for an analysis that looks at files of several folders at once.

        Import roots, and what is said of functions by name, come from every configuration that
        holds in one of them; all else is that of ``main``.
        """
        every: dict[int, Config] = {}
        for config in map(self.of_bystanders, {*folders}):
            every[id(config)] = config
        main = every[id(self.main)] = self.main
        if len(every) == 1:
            return main
        # What is said nearer to the code that it is about weighs more.
        found = sorted(every.values(), key=lambda config: (len(config.base.parts), config.base))
        callables: dict[str, TracedCallable] = {}
        assumed: dict[str, tuple[str, ...]] = {}
        for config in found:
            callables.update(config.traced_callables)
            assumed.update(config.assume_traced)
        src = dict.fromkeys(folder for config in (main, *found) for folder in config.src)
        return replace(main, src=tuple(src), traced_callables=callables, assume_traced=assumed)


def _places(folder: Path) -> Iterable[Path]:
    return (folder / name for name in FILE_NAMES)
