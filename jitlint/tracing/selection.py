"""Selection: the units that must be interpreted to find every traced function and its call sites.

Function bodies are only walked where a word of a transform, or the name of something that applies
one, occurs in the text; everything else of the project never becomes a syntax tree unless a call
from selected code leads there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from jitlint.jaxmodel.transforms import transform, transform_words
from jitlint.project.index import ModuleIndex
from jitlint.project.project import Project
from jitlint.project.units import ClassDefinition, Unit
from jitlint.project.walks import dotted
from jitlint.tracing import payers
from jitlint.tracing.ancestors import ancestors
from jitlint.tracing.changers import changers
from jitlint.tracing.imports import Imports, leads_in_circles
from jitlint.tracing.markers import mentions_jax
from jitlint.tracing.members import Members
from jitlint.tracing.programs import leading
from jitlint.tracing.scripts import script_statements
from jitlint.tracing.stored_items import storing
from jitlint.tracing.timers import KNOWS_TIME, measuring, timers
from jitlint.tracing.units import (
    defines_rules,
    hands_on,
    last_word,
    local_imports,
    takes_callable,
)
from jitlint.tracing.watched import watched

#: definitions of differentiation rules
_RULE_METHODS: Final = frozenset(
    {"defjvp", "defjvps", "defvjp", "def_vmap", "def_jvp", "def_fwd", "def_bwd"}
)
#: methods that are called where nothing mentions them: ``model(x)``, ``for batch in batches``
_IMPLIED: Final = frozenset({"__call__", "__getitem__", "__iter__", "__next__"})
_NOT_TRACING: Final = frozenset({"host", "tree_map", "tree_map_with_path", "none"})


#: modules through which a name is followed to what it was imported from: they may be circular.  No
#: limit of the interpreter, which is not even imported where nothing mentions JAX.
_IMPORT_LEVELS: Final = 6


class Selection:
    """The units of a project that are interpreted as starting points.

    Args:
      project: the project.
      files: those of its files that matter.
      modules: the indexed modules to look at.
      rows: qualified names of transforms that the project declares.
    """

    def __init__(
        self,
        project: Project,
        files: Sequence[Path],
        modules: list[ModuleIndex],
        rows: Collection[str] = (),
    ) -> None:
        self.project = project
        self._files = files
        self.rows = rows
        self.modules = modules
        self.units: dict[int, Unit] = {}
        #: functions that lead from programs to those that are selected
        self.between: dict[int, Unit] = {}
        self._carriers: dict[tuple[Path, str], None] = {}
        self._queue: list[tuple[Path, str]] = []
        self.imports = Imports(project)
        self._checked: set[tuple[int, str]] = set()
        self._seeds: dict[int, bool] = {}
        #: names by which users of a class reach what is selected in it
        self._class_members: dict[int, set[str]] = {}
        #: functions that make an object for their callers, and what these must mention
        self._makers: dict[tuple[Path, str], Members] = {}
        #: methods that compile something in each call
        self._payers: list[Unit] = []
        #: methods that read clocks
        self._timers: list[Unit] = []
        #: words that the texts of all files were searched for
        self.words: set[str] = set()
        #: modules that know JAX by nothing but what they import from others
        self._knowing: set[ModuleIndex] = set()
        self._select()

    def _select(self) -> None:
        for module in self.modules:
            self.imports.add(module)
        own = sorted({name.rpartition(".")[2] for name in self.rows})
        words = transform_words() | {*own}
        for module in self.modules:
            self._add_seeds(module, words, own)
        self._add_timers()
        self._grow()
        while users := self._users_without_marker():
            self.modules = [*self.modules, *users]
            self._knowing.update(users)
            for module in users:
                self.imports.add(module)
                self._add_seeds(module, words, own)
            imported = {
                path for path, other in self.imports.importers.items() if {*users} & {*other}
            }
            self._queue += [key for key in self._carriers if key[0] in imported]
            for unit in [*self._payers]:
                self._add_loops(unit, users)
            self._add_measuring()
            self._grow()
        graph, classes = self.project.graph, self._class_members.keys()
        for unit in payers.loops_over_helpers(graph, self.modules, self.units.values()):
            self._add(unit, seed=False)
        for unit in [*changers(graph, self.modules, self.units.values(), classes)]:
            self._add(unit, seed=False)
        self._grow()
        lead = leading(graph, self.imports, self.modules, [*self.units.values()])
        self.units.update((id(unit), unit) for unit in lead.statements)
        self.between = {id(unit): unit for unit in lead.between if id(unit) not in self.units}
        for unit in [*script_statements(self.units.values())]:
            self.units[id(unit)] = unit

    def _grow(self) -> None:
        while self._queue:
            path, name = self._queue.pop()
            self._select_users(path, name)

    def _add_seeds(self, module: ModuleIndex, words: frozenset[str], own: Sequence[str]) -> None:
        # Sorted: the order of a set of strings differs from run to run, and what is selected
        # from a class depends on the order.
        for word in sorted(module.fact(_words_of_transforms, *own)):
            for unit in module.units_with(word):
                if id(unit) not in self.units and self._mentions_transform(unit, words):
                    self._add(unit, seed=True)
        for word in sorted(module.fact(_words_of_rules)):
            for unit in module.units_with(word):
                if defines_rules(unit):
                    self._add(unit, seed=True)
        for name, bindings in module.bindings.items():
            # `from jax import jit` under a project's own name is a carrier by itself.
            if any(b.target is not None and self._is_transform(b.target.qualified)
                   for b in bindings):  # fmt: skip
                self._carry(module, name)
        for row in self.rows:
            home, _, name = row.rpartition(".")
            if home == module.name:
                self._carry(module, name)
        if module in self._knowing or module.fact(mentions_jax):
            for unit, seed in watched(module, self.qualify, self.units.keys()):
                self._add(unit, seed=seed)
            for unit, seed in storing(module, self.qualify, self.units.keys()):
                self._add(unit, seed=seed)

    def _add_timers(self) -> None:
        """What measures what others do, in modules that need not mention JAX."""
        marked = [module for module in self.modules if module.fact(mentions_jax)]
        known = {module.path for module in marked}
        # Whoever imports one of them does not change what is looked at there.
        others = [
            module
            for path in (self._files if marked else ())
            if path not in known and self._knows_time(path)
            if (module := self.project.module_at(path)) is not None
        ]
        self._timers = timers([*marked, *others], self.qualify)
        added = dict.fromkeys(unit.module for unit in self._timers)
        self.modules = [*self.modules, *(each for each in added if each not in self.modules)]
        for unit in self._timers:
            self._add(unit, seed=True)
        self._add_measuring()

    def _add_measuring(self) -> None:
        """The statements of modules, as far as they are known yet, that measure with such code."""
        importers = self.imports.importers
        aliases = self.imports.aliases
        for unit in measuring(self._timers, lambda m: importers.get(m.path, ()), aliases):
            self._add(unit, seed=False)

    def _knows_time(self, path: Path) -> bool:
        """Whether classes of a file may have methods that read a clock."""
        text = self.project.file_text(path)
        return text is not None and text.finds("class ") and text.finds(KNOWS_TIME)

    def _users_without_marker(self) -> list[ModuleIndex]:
        """Modules that know JAX by nothing but what they import from those that are looked at.

        A project's own ``from backend import jit`` mentions no library.  Only what mentions such a
        name and the module that it comes from is indexed.
        """
        known = {module.path for module in self.modules}
        stems: dict[str, set[str]] = {}
        for path, name in self._carriers:
            stem = path.parent.name if path.stem == "__init__" else path.stem
            stems.setdefault(last_word(name), set()).add(stem)
        self.words.update(stems, *stems.values())
        users = []
        for path in self._files:
            text = None if path in known else self.project.file_text(path)
            if text is None or not text.finds("import"):
                continue
            words = text.words
            if all(stems[name].isdisjoint(words) for name in words & stems.keys()):
                continue
            module = self.project.module_at(path)
            if module is not None and self._imports_what_is_selected(module):
                users.append(module)
        return users

    def _imports_what_is_selected(self, importer: ModuleIndex) -> bool:
        found = [source for *_, origin, whole in self.imports.of(importer)
                 for source in (origin, whole)]  # fmt: skip
        found += [self.project.find_module(star, importer) for star in importer.star_imports]
        sources = {source.path: source for source in found if source is not None}
        return any(
            self.imports.aliases(importer, sources[path], name)
            for path, name in self._carriers
            if path in sources and importer.has_word(last_word(name))
        )

    def _is_transform(self, name: str) -> bool:
        if name in self.rows:
            return True
        row = transform(name)
        return row is not None and row.kind not in _NOT_TRACING

    def _mentions_transform(self, unit: Unit, words: frozenset[str]) -> bool:
        known = self._seeds.get(id(unit))
        if known is None:
            known = self._seeds[id(unit)] = self._is_seed(unit, words)
        return known

    def _is_seed(self, unit: Unit, words: frozenset[str]) -> bool:
        local = local_imports(unit)
        for name in unit.mentions:
            if name.rpartition(".")[2] not in words and name not in local:
                continue
            qualified = self.qualify(unit.module, name, local)
            if qualified is not None and self._is_transform(qualified):
                return True
        return False

    def qualify(
        self,
        module: ModuleIndex,
        name: str,
        local: dict[str, str] | None = None,
        depth: int = _IMPORT_LEVELS,
    ) -> str | None:
        """The qualified name that a dotted name stands for, through imports and re-exports."""
        if f"{module.name}.{name}" in self.rows:
            return f"{module.name}.{name}"
        head, _, rest = name.partition(".")
        if local and head in local:
            base: str | None = local[head]
        else:
            base = None
            for binding in self.project.bindings(module, head):
                if binding.target is None:
                    continue
                base = binding.target.qualified
                if self._is_transform(f"{base}.{rest}" if rest else base):
                    break
                if depth and binding.target.name is not None:
                    other = self.project.find_module(binding.target.module, module)
                    if other is not None and other is not module:
                        through = self.qualify(other, binding.target.name, None, depth - 1)
                        base = through or base
                break
        if base is None:
            for star in module.star_imports:
                if not self.project.has_module(star, module) and self._is_transform(
                    f"{star}.{name}"
                ):
                    return f"{star}.{name}"
            return None
        qualified = f"{base}.{rest}" if rest else base
        if self._is_transform(qualified) or not depth:
            return qualified
        # A project module on the way: look the next name up there.
        parts = qualified.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            other = self.project.find_module(".".join(parts[:cut]), module)
            if other is not None and other is not module:
                through = self.qualify(other, ".".join(parts[cut:]), None, depth - 1)
                return through or qualified
        return qualified

    # -- growth -----------------------------------------------------------------------------------

    def _carry(self, module: ModuleIndex, name: str) -> None:
        key = (module.path, name)
        if self._makers.pop(key, None) is not None:
            del self._carriers[key]
        if key not in self._carriers:
            self._carriers[key] = None
            self._queue.append(key)

    def _carry_maker(self, unit: Unit, members: Members) -> None:
        """A function that makes an object of a class: who calls it may use what is selected.

        So may who uses the name that a statement of a module gives such an object.
        """
        if unit.cls is not None or not members.made_in(unit):
            return
        made = [unit.name] if unit.is_function else unit.fact(_bound_names)
        for name in made:
            key = (unit.module.path, name)
            if key not in self._carriers:
                self._carriers[key] = None
                self._makers[key] = members
                self._queue.append(key)

    def _add(self, unit: Unit, *, seed: bool) -> None:
        if id(unit) in self.units:
            return
        self.units[id(unit)] = unit
        module = unit.module
        if seed and unit.cls is not None and payers.compiles_within(unit):
            for payer in (unit, *payers.leading_to(unit)):
                self._payers.append(payer)
                self._add_loops(payer, self.modules)
        if unit.cls is not None:
            if unit.is_function:
                self._class_members.setdefault(id(unit.cls), set()).add(unit.name)
            if seed:
                self._add_method_users(unit)
            self._carry(module, unit.cls.qualname.partition(".")[0])
            return
        if unit.is_function:
            if seed or unit.decorated or unit.fact(takes_callable):
                self._carry(module, unit.name)
        elif seed:
            for name, bindings in module.bindings.items():
                if any(binding.unit is unit for binding in bindings):
                    self._carry(module, name)

    def _add_loops(self, method: Unit, modules: Iterable[ModuleIndex]) -> None:
        for unit in payers.loops_by_name(self.project.graph, method, modules):
            self._add(unit, seed=False)
            if unit.is_function and unit.cls is None:
                # Who calls it knows of which class the object is.
                self._carry(unit.module, unit.name)

    def _add_method_users(self, unit: Unit) -> None:
        """Methods that use what a seed method is or makes: ``self.step = jax.jit(...)``."""
        cls = unit.cls
        assert cls is not None
        names = set()
        if unit.is_function:
            names.add(unit.name)
            for attribute, methods in cls.assigned_attributes.items():
                if unit.name in methods:
                    names.add(attribute)
        self._class_members.setdefault(id(cls), set()).update(names)
        self._add_methods(cls, names)
        # What a base class leaves to its subclasses its own methods call.
        for base in ancestors(self.project, unit.module, cls):
            if not names.isdisjoint(base.methods):
                self._add_methods(base, names)

    def _add_methods(self, cls: ClassDefinition, names: Collection[str]) -> None:
        """The methods of a class that use some members."""
        for unit in chain.from_iterable(cls.methods.values()):
            if id(unit) not in self.units and not unit.words_after_dots.isdisjoint(names):
                self._add(unit, seed=False)

    def _select_users(self, path: Path, name: str) -> None:
        module = self.project.module_at(path)
        if module is None:
            return
        members = self._members(module, name)
        if members is not None:
            self._carry_subclasses(module, name, members)
        donates = self._donates(module, name)
        for unit in module.units_with(name):
            if members is not None and not members.in_unit(unit):
                self._carry_maker(unit, members)
                continue
            if id(unit) not in self.units and self._uses(unit, name):
                called = unit.is_function and not donates
                self._add(unit, seed=not called and not unit.is_import)
        for other in self.imports.importers.get(path, ()):
            if not other.has_word(last_word(name)) and not hands_on(other):
                continue
            for alias in self.imports.aliases(other, module, name):
                if members is not None:
                    self._carry_subclasses(other, alias, members)
                    self._add_class_users(other, alias, members)
                else:
                    self._carry_alias(other, alias)

    def _donates(self, module: ModuleIndex, name: str) -> bool:
        """Whether a name stands for what takes memory from its arguments.

        What was read before is read after the call by those who call the callers.
        """
        return any(binding.unit.finds("donate") for binding in module.bound(name))

    def _members(self, module: ModuleIndex, name: str) -> Members | None:
        """For a class: what a user of it must mention too; None for anything else.

        A unit that makes an instance matters when it hands callables over or calls what is
        selected; a mere annotation or base class does not.
        """
        cls = module.classes.get(name)
        if cls is None:
            made = self._makers.get((module.path, name))
            return None if made is None else replace(made, cls=name, made=False)
        names = self._class_members.get(id(cls), set()) - {"__init__", "__post_init__"}
        plain = frozenset(n for n in names if not n.startswith("__"))
        implied = _IMPLIED & names
        return Members(name, plain, not plain or bool(implied), implied)

    def _carry_subclasses(self, module: ModuleIndex, base: str, members: Members) -> None:
        """What is selected in a class its subclasses inherit: who uses them uses it, as they do."""
        for name, cls in module.classes.items():
            if any(dotted(node) == base for node in cls.bases):
                known = self._class_members.setdefault(id(cls), set())
                if not members.names | members.implied <= known:
                    known.update(members.names, members.implied)
                    self._carriers.pop((module.path, name), None)
                    self._carry(module, name)
                    self._add_methods(cls, members.names)

    def _add_class_users(self, module: ModuleIndex, alias: str, members: Members) -> None:
        for unit in module.units_with(alias):
            if id(unit) in self.units or unit.is_import:
                continue
            if members.in_unit(unit):
                self._add(unit, seed=not unit.is_function)
            else:
                self._carry_maker(unit, members)
        # A re-export carries the class on under its new name.
        bindings = module.bound(alias)
        if not bindings or any(binding.target is None for binding in bindings):
            return
        for other in self.imports.importers.get(module.path, ()):
            if not other.finds(re.escape(alias)) and not hands_on(other):
                continue
            for further in self.imports.aliases(other, module, alias):
                key = (other.path, f"class {further}")
                if key not in self._carriers:
                    self._carriers[key] = None
                    self._add_class_users(other, further, members)

    def _carry_alias(self, module: ModuleIndex, alias: str) -> None:
        if "." not in alias:
            self._carry(module, alias)
            return
        key = (module.path, alias)
        if key in self._carriers or leads_in_circles(alias):
            return
        self._carriers[key] = None
        if hands_on(module):
            self._queue.append(key)
        for unit in module.units_with(alias):
            if not unit.is_import:
                self._add(unit, seed=not unit.is_function)

    def _uses(self, unit: Unit, name: str) -> bool:
        key = (id(unit), name)
        if key in self._checked:
            return False
        self._checked.add(key)
        if unit.is_function and unit.name == name and unit.cls is None:
            return False
        return any(d == name or d.startswith(f"{name}.") for d in unit.mentions)


def _words_of_transforms(module: ModuleIndex, *own: str) -> frozenset[str]:
    """The words of transforms that occur in a module, those of a project's own among them."""
    return module.words & (transform_words() | {*own})


def _words_of_rules(module: ModuleIndex) -> frozenset[str]:
    return module.words & _RULE_METHODS


def _bound_names(unit: Unit) -> list[str]:
    """The names that an assignment gives a value as a whole."""
    node = unit.node
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]
