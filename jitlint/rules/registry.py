"""All rules, listed by hand: no scan of folders, so that start-up stays cheap."""

from __future__ import annotations

from functools import cache

from jitlint.absint.machine.events import Event
from jitlint.rules.base import Rule
from jitlint.rules.concretization.assert_on_traced_value import AssertOnTracedValue
from jitlint.rules.concretization.boolean_operator_on_traced_value import (
    BooleanOperatorOnTracedValue,
)
from jitlint.rules.concretization.branch_on_traced_value import BranchOnTracedValue
from jitlint.rules.concretization.builtin_compares_traced_values import BuiltinComparesTracedValues
from jitlint.rules.concretization.data_dependent_shape import DataDependentShapeRule
from jitlint.rules.concretization.hash_of_traced_value import HashOfTracedValue
from jitlint.rules.concretization.loop_on_traced_condition import LoopOnTracedCondition
from jitlint.rules.concretization.numpy_call_on_traced_value import NumpyCallOnTracedValue
from jitlint.rules.concretization.python_conversion_of_traced_value import (
    PythonConversionOfTracedValue,
)
from jitlint.rules.concretization.swallowed_tracer_error import SwallowedTracerError
from jitlint.rules.concretization.traced_value_as_python_index import TracedValueAsPythonIndex
from jitlint.rules.concretization.traced_value_as_static_parameter import (
    TracedValueAsStaticParameter,
)
from jitlint.rules.concretization.type_test_on_traced_value import TypeTestOnTracedValue
from jitlint.rules.impurity.captured_attribute_assignment import CapturedAttributeAssignment
from jitlint.rules.impurity.captured_container_mutation import CapturedContainerMutation
from jitlint.rules.impurity.discarded_functional_update import DiscardedFunctionalUpdate
from jitlint.rules.impurity.frozen_host_value import FrozenHostValueRule
from jitlint.rules.impurity.global_or_nonlocal_assignment import GlobalOrNonlocalAssignment
from jitlint.rules.impurity.host_io_in_traced_function import HostIOInTracedFunction
from jitlint.rules.impurity.in_place_array_update import InPlaceArrayUpdate
from jitlint.rules.impurity.mutable_default_mutation import MutableDefaultMutation
from jitlint.rules.impurity.print_in_traced_function import PrintInTracedFunction
from jitlint.rules.internal import (
    internal_error,
    syntax_error,
    unsupported_syntax,
    unused_suppression,
)
from jitlint.rules.meta import RuleMeta
from jitlint.rules.recompilation.jit_in_loop import JitInLoopRule
from jitlint.rules.recompilation.jit_of_fresh_function_in_loop import JitOfFreshFunctionInLoop
from jitlint.rules.recompilation.jit_on_method_traces_self import JitOnMethodTracesSelf
from jitlint.rules.recompilation.jit_rebuilt_per_call import JitRebuiltPerCall
from jitlint.rules.recompilation.non_array_argument import NonArrayArgumentRule
from jitlint.rules.recompilation.unhashable_static_argument import UnhashableStaticArgumentRule
from jitlint.rules.recompilation.unknown_static_argument import UnknownStaticArgumentRule

_RULES: tuple[Rule, ...] = (
    BranchOnTracedValue(),
    LoopOnTracedCondition(),
    AssertOnTracedValue(),
    BooleanOperatorOnTracedValue(),
    PythonConversionOfTracedValue(),
    NumpyCallOnTracedValue(),
    TracedValueAsPythonIndex(),
    TracedValueAsStaticParameter(),
    DataDependentShapeRule(),
    BuiltinComparesTracedValues(),
    HashOfTracedValue(),
    TypeTestOnTracedValue(),
    SwallowedTracerError(),
    PrintInTracedFunction(),
    CapturedContainerMutation(),
    GlobalOrNonlocalAssignment(),
    CapturedAttributeAssignment(),
    InPlaceArrayUpdate(),
    HostIOInTracedFunction(),
    FrozenHostValueRule(),
    MutableDefaultMutation(),
    DiscardedFunctionalUpdate(),
    JitOfFreshFunctionInLoop(),
    JitInLoopRule(),
    JitRebuiltPerCall(),
    UnhashableStaticArgumentRule(),
    UnknownStaticArgumentRule(),
    NonArrayArgumentRule(),
    JitOnMethodTracesSelf(),
)

# Reports of the engine itself: they have a page and a code, but no event.
_ENGINE_RULES: tuple[RuleMeta, ...] = (
    internal_error.META,
    syntax_error.META,
    unused_suppression.META,
    unsupported_syntax.META,
)


@cache
def all_rules() -> tuple[RuleMeta, ...]:
    """The metadata of every rule, sorted by code."""
    metas = (*(rule.meta for rule in _RULES), *_ENGINE_RULES)
    return tuple(sorted(metas, key=lambda meta: meta.code))


@cache
def _by_key() -> dict[str, RuleMeta]:
    return {key: meta for meta in all_rules() for key in (meta.code, meta.name)}


def find(code_or_name: str) -> RuleMeta | None:
    """The metadata of a rule by its code (in any case) or its name; None when there is none."""
    found = _by_key()
    return found.get(code_or_name.upper()) or found.get(code_or_name.lower())


@cache
def rules_for(event_type: type[Event]) -> tuple[Rule, ...]:
    """The rules that want to see events of a class, in the order of their codes."""
    return tuple(rule for rule in _RULES if issubclass(event_type, rule.events))
