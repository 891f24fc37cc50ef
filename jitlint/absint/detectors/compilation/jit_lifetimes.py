"""Watches where jitted functions are made, called and kept.

These observers note; :mod:`.jit_verdicts` decides at the end, when all visible calls are known,
which jitted functions are made again in every iteration of a loop or in every call of the function
around them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.declarations import decorator_names
from jitlint.absint.code.syntax import called_name, walk, walk_own
from jitlint.absint.detectors.compilation.jit_sites import INIT, OWN, JitSite, JitUses, Kind
from jitlint.absint.detectors.compilation.local_holders import is_held_here
from jitlint.absint.detectors.compilation.noted_calls import note_requests
from jitlint.absint.detectors.compilation.reached import begun_by
from jitlint.absint.detectors.sizes.listed import listed_names
from jitlint.absint.detectors.sizes.made import made_sizes
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.surroundings.choices import settings_for
from jitlint.absint.detectors.surroundings.filling import is_guarded
from jitlint.absint.detectors.surroundings.loop_variables import (
    bound_in_loops,
    loop_targets,
    settings_of,
    varies,
)
from jitlint.absint.detectors.surroundings.paths import lasting_loops
from jitlint.absint.detectors.surroundings.written import values_in
from jitlint.absint.detectors.variants.configurations import (
    configured_in,
    parameters_read,
    works_on_configurations,
)
from jitlint.absint.detectors.variants.fixed_values import (
    bound_for_good,
    choices_of,
    fixed_parameters,
    follow_loops,
    varies_with_loops,
)
from jitlint.absint.detectors.variants.freshness import (
    dependencies,
    freshness,
    given_to_maker,
    origins_of_name,
)
from jitlint.absint.detectors.variants.numeric import computes_with_numbers, is_only_computed_with
from jitlint.absint.detectors.variants.origins import origins
from jitlint.absint.machine.signals import (
    ArgumentPassed,
    CachedCalled,
    FunctionTraced,
    Kept,
    Received,
    TransformApplied,
    TransformedCalled,
    observes,
)
from jitlint.absint.values.domain import Array, Function, Transformed, Value, base_function
from jitlint.jaxmodel.transforms import COMPILING
from jitlint.project.test_code import is_test

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Chain, Frame
    from jitlint.absint.machine.interpreter import Interpreter


@observes(Kept)
def _kept(it: Interpreter, kept: Kept) -> None:
    value = kept.value
    if type(value) is Transformed:
        if _is_of_new_object(it, kept.holder):
            # It is as old as the object: another one has another.
            uses, key = it.observations(JitUses), id(value.place.node)
            uses.of_objects.add(key)
            uses.places[key] = value.place
        elif not is_held_here(it, value.place):
            note_kept(it, value)
    elif type(value) is Function and value.closure:
        it.observations(JitUses).kept_functions.add(value.code)


def note_kept(it: Interpreter, value: Transformed) -> None:
    """Something keeps a jitted function."""
    uses, key = it.observations(JitUses), id(value.place.node)
    uses.kept.add(key)
    uses.places[key] = value.place


def _is_of_new_object(it: Interpreter, holder: Value | None) -> bool:
    """Whether the running constructor makes the object that holds something."""
    code = it.frame.code
    return code is not None and code.name == INIT and holder == it.look_up("self")


@observes(CachedCalled)
def _cached_called(it: Interpreter, called: CachedCalled) -> None:
    it.observations(JitUses).cached.add(called.callee)


@observes(FunctionTraced)
def _function_traced(it: Interpreter, traced: FunctionTraced) -> None:
    uses = it.observations(JitUses)
    if not it.frame.context.staging:
        # By themselves `vmap` and `grad` run each operation, and compile control flow, like others.
        return
    uses.traced.add(traced.code)
    staged = traced.code not in uses.staged
    if staged and not _begun_by_test(it.frame.chain):
        uses.staged.add(traced.code)


def _begun_by_test(chain: Chain | None) -> bool:
    """Whether a test made the transform that a chain of calls begins with."""
    if chain is None:
        return False
    unit = chain.steps()[0].place.parsed.unit
    return is_test(unit.module.path, unit.qualname)


@observes(TransformApplied)
def _transform_applied(it: Interpreter, applied: TransformApplied) -> None:
    if it.frame.context.staging or it.frame.context.disabled:
        return
    made, argument, node = applied.made, applied.argument, applied.node
    if made.transform not in COMPILING:
        it.made_here(made)
        return
    uses = it.observations(JitUses)
    frame = it.frame
    every = frozenset(map(id, frame.enclosing_loops))
    what, repeated, per_call = freshness(it, made, argument, every)
    made_by_call = _is_made_by_call(it, made)
    given = given_to_maker(frame, argument) if made_by_call else frozenset()
    varies = repeated and not given.isdisjoint(bound_in_loops(it))
    if varies and not computes_with_numbers(it, base_function(made.function) or made.function):
        # What it makes of a loss or a schedule of each turn is mostly wanted.
        return
    inner = base_function(made.function)
    if not (repeated or per_call) and inner is not None and "." not in inner.code.qualname:
        # A lambda of a module is the same one each time.
        what = None
    if what is None and _is_of_the_turn(frame, argument):
        return
    inside = _inner(argument)
    counted = isinstance(inside, cst.Name) and isinstance(it.look_up(inside.value), Array)
    of_turn = len(frame.enclosing_loops) == 1 and _is_of_the_turn(frame, inside)
    if repeated and of_turn and not counted:
        # `for loss in losses: jit(grad(loss))`: each of them needs a program, and has one.
        repeated, per_call = False, True
    if repeated and _works_with_setting(it, argument):
        repeated, per_call = False, True
    options = [*_options(node, argument), *bound_for_good(it, argument), *choices_of(it, node)]
    if repeated and varies_with_loops(it, made.function, options):
        repeated, per_call = False, True
    configured = configured_in(it, made.function)
    if repeated and (frame.code in configured or _is_of_the_turn(frame, _transform_in(node))):
        repeated, per_call = False, True
    if repeated and works_on_configurations(it, node):
        repeated, per_call = False, True
    fixed = fixed_parameters(it, frame.code, made.function, argument, options)
    # What an object holds is there again whenever its method jits it.
    anew = "self" not in fixed and _is_handed_anew(it, made)
    fresh = what if repeated or per_call or anew else None
    known = uses.sites.get(id(node))
    begun = begun_by(it)
    if known is not None:
        known.repeated = known.repeated or repeated
        known.fresh = known.fresh or fresh
        if known.begun < begun:
            known.begun = begun
            known.sized = _sized(it, made, argument)
            known.depends = dependencies(it, frame.code, made.function, argument)
            known.depends |= _parameters_of(frame, given)
            known.fixed = fixed
            known.reads = parameters_read(it, made.function, node)
        return
    note_requests(it)
    loops = lasting_loops(frame, node)
    loop = loops[-1] if loops else None
    if len(loops) < len(frame.enclosing_loops):
        _, repeated, _ = freshness(it, made, argument, frozenset(map(id, loops)))
    uses.sites[id(node)] = JitSite(
        kind=Kind.JIT,
        place=it.place(node),
        owner=frame.code,
        qualname=frame.qualname,
        chain=frame.chain,
        operand=_operand(it, made, argument, node),
        callee=made.transform,
        fresh=fresh,
        loop=loop,
        repeated=repeated,
        guarded=is_guarded(frame, node),
        depends=dependencies(it, frame.code, made.function, argument)
        | _parameters_of(frame, given),
        in_test=frame.in_test,
        is_property=frame.code is not None and "property" in decorator_names(frame.code.unit),
        sized=_sized(it, made, argument),
        begun=begun,
        settings=settings_for(frame, node),
        fixed=fixed,
        reads=parameters_read(it, made.function, node),
        configured=frozenset(each for each in configured - {frame.code} if each is not None),
    )


def _sized(it: Interpreter, made: Transformed, argument: cst.CSTNode | None) -> frozenset[str]:
    """What the sizes follow of what a jitted function is given, and the parameter that it is."""
    return _jitted_parameter(it.frame, argument) | made_sizes(it, made.function)


def _options(node: cst.CSTNode, argument: cst.CSTNode | None) -> list[cst.BaseExpression]:
    """What is said at a use of a transform of how to compile a function."""
    args = node.args if isinstance(node, cst.Call) else ()
    return [arg.value for arg in args if arg.value is not argument]


def _parameters_of(frame: Frame, names: frozenset[str | None]) -> frozenset[str]:
    """The parameters of the function that runs which some names come from."""
    if frame.code is None or not names:
        return frozenset()
    return frozenset[str]().union(*(origins_of_name(frame.code, name) for name in names))


def _inner(argument: cst.CSTNode | None) -> cst.CSTNode | None:
    """What ``vmap(grad(f))`` or ``partial(f, options)`` is made of."""
    while isinstance(argument, cst.Call) and argument.args:
        if len(argument.args) > 1 and called_name(argument) != "partial":
            break
        argument = argument.args[0].value
    return argument


def _jitted_parameter(frame: Frame, argument: cst.CSTNode | None) -> frozenset[str]:
    """The parameter that is jitted, if callers pass the function: ``jit(vmap(function))``."""
    name = _inner(argument)
    parameters = () if frame.code is None else frame.code.parameters
    is_passed = isinstance(name, cst.Name) and any(name.value == each.name for each in parameters)
    return frozenset({OWN.format(name.value)}) if is_passed else frozenset()  # type: ignore[union-attr]


def _is_of_the_turn(frame: Frame, argument: cst.CSTNode | None) -> bool:
    """Whether a loop goes through what is jitted: each turn has another function that lasts."""
    return isinstance(argument, cst.Name) and any(
        argument.value in loop_targets(loop) for loop in frame.enclosing_loops
    )


def _transform_in(node: cst.CSTNode) -> cst.CSTNode | None:
    """What is called at a use of a transform: ``for transform in transforms: f = transform(f)``."""
    return node.func if isinstance(node, cst.Call) else None


def _works_with_setting(it: Interpreter, argument: cst.CSTNode | None) -> bool:
    """Whether the one loop around goes through settings, with each of which another program works.

    A lambda or a partial names it: ``partial(f, training=training)``, ``lambda x: f(x, count)``.
    Numbers that are listed are settings, too, unless it only computes with them.
    """
    loops = it.frame.enclosing_loops
    if len(loops) != 1 or not isinstance(argument, (cst.Call, cst.Lambda)):
        return False
    numbers = listed_names(Scope.of_frame(it, loops[0], listed=True))
    inner = [node for node in walk(argument) if isinstance(node, cst.Lambda)]
    if not all(is_only_computed_with(it, node, numbers) for node in (argument, *inner)):
        return True
    settings = settings_of(loops[0])
    inside = argument if isinstance(argument, cst.Call) else argument.body
    names = (node for node in walk_own(inside) if isinstance(node, cst.Name))
    return any(name.value in settings for name in names)


def _is_made_by_call(it: Interpreter, made: Transformed) -> bool:
    """Whether another function, which was called here, has made what is jitted."""
    inner = base_function(made.function)
    return inner is not None and it.lifetime(inner)[0] not in (0, it.frame.env)


def _is_handed_anew(it: Interpreter, made: Transformed) -> bool:
    """Whether what is jitted was made in a loop of the callers that still runs.

    What the functions around this one have made is as old as this one, and what another loop has
    made and kept is the same in each turn of this one.
    """
    env, loops = it.lifetime(made.function)
    return env not in it.frame.closure and not loops.isdisjoint(it.running_loops())


def _operand(
    it: Interpreter, made: Transformed, argument: cst.CSTNode | None, node: cst.CSTNode
) -> str:
    """What is jitted, as written; under a decorator, the name of the function."""
    if argument is None and isinstance(made.function, Function):
        return made.function.code.name
    return it.text(node if argument is None else argument)


@observes(TransformedCalled)
def _transformed_called(it: Interpreter, called: TransformedCalled) -> None:
    """A function that is called in a loop of its own pays for its compilation."""
    function = called.function
    if called.maker is not None:
        _called_at_once(it, function, called.maker)
    else:
        note_caller(it, function)


def note_caller(it: Interpreter, function: Transformed) -> None:
    """The running code calls a jitted function, or has a library do so."""
    uses = it.observations(JitUses)
    frame = it.frame
    link: Value = function
    while isinstance(link, Transformed):
        key = id(link.place.node)
        uses.places[key] = link.place
        callers = uses.called_by.setdefault(key, set())
        site = uses.sites.get(key)
        received = uses.received.get((key, frame.env), 0)
        own = site is not None and site.makes_the_same(frame.code)
        if site is not None and key in uses.of_objects:
            callers.add(site.owner)
        nested = site is not None and site.depends and site.is_around(frame.qualname)
        if own or (len(frame.enclosing_loops) <= received and not nested):
            callers.add(frame.code)
        link = link.function


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    """For another static argument any function is another program: ``jit(run)(config, x)``."""
    uses, code = it.observations(JitUses), it.frame.code
    key = id(passed.function.place.node)
    site = uses.sites.get(key)
    if not passed.static or site is None or site.owner is not code:
        return
    names = frozenset(values_in(passed.node))
    if code is not None and code.node is not None:
        own = {parameter.name for parameter in code.parameters} - {"self", "cls"}
        site.fixed |= origins(it, code.node, own, names)
    if follow_loops(it, names):
        uses.kept.add(key)
        uses.places[key] = passed.function.place


@observes(Received)
def _received(it: Interpreter, received: Received) -> None:
    value = received.value
    if type(value) is Transformed:
        frame = it.frame
        uses = it.observations(JitUses)
        uses.received[(id(value.place.node), frame.env)] = len(frame.enclosing_loops)


def _called_at_once(it: Interpreter, value: Transformed, made: cst.Call) -> None:
    """What a call made is called at once: ``make_step(model)(x)``."""
    site = it.observations(JitUses).sites.get(id(value.place.node))
    if site is None or site.owner is it.frame.code:
        return
    if not site.depends or not varies(it, made):
        _received(it, Received(value))
