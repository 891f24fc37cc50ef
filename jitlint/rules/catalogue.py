"""Every rule, by its code: the module that holds it.  Written by ``python -m tools.catalogue``."""

from __future__ import annotations

from typing import Final

#: sorted by code; nothing is imported for it
MODULES: Final = {
    "JIT101": "jitlint.rules.concretization.branch_on_traced_value",
    "JIT102": "jitlint.rules.concretization.loop_on_traced_condition",
    "JIT103": "jitlint.rules.concretization.assert_on_traced_value",
    "JIT104": "jitlint.rules.concretization.boolean_operator_on_traced_value",
    "JIT105": "jitlint.rules.concretization.python_conversion_of_traced_value",
    "JIT106": "jitlint.rules.concretization.numpy_call_on_traced_value",
    "JIT107": "jitlint.rules.concretization.traced_value_as_python_index",
    "JIT108": "jitlint.rules.concretization.traced_value_as_static_parameter",
    "JIT109": "jitlint.rules.concretization.data_dependent_shape",
    "JIT110": "jitlint.rules.concretization.builtin_compares_traced_values",
    "JIT111": "jitlint.rules.concretization.hash_of_traced_value",
    "JIT112": "jitlint.rules.concretization.type_test_on_traced_value",
    "JIT113": "jitlint.rules.concretization.swallowed_tracer_error",
    "JIT201": "jitlint.rules.impurity.print_in_traced_function",
    "JIT202": "jitlint.rules.impurity.captured_container_mutation",
    "JIT203": "jitlint.rules.impurity.global_or_nonlocal_assignment",
    "JIT204": "jitlint.rules.impurity.captured_attribute_assignment",
    "JIT205": "jitlint.rules.impurity.in_place_array_update",
    "JIT206": "jitlint.rules.impurity.host_io_in_traced_function",
    "JIT207": "jitlint.rules.impurity.frozen_host_value",
    "JIT210": "jitlint.rules.impurity.captured_iterator_advance",
    "JIT211": "jitlint.rules.impurity.mutable_default_mutation",
    "JIT212": "jitlint.rules.impurity.discarded_functional_update",
    "JIT213": "jitlint.rules.impurity.constant_prng_key",
    "JIT301": "jitlint.rules.recompilation.jit_of_fresh_function_in_loop",
    "JIT302": "jitlint.rules.recompilation.jit_in_loop",
    "JIT303": "jitlint.rules.recompilation.jit_rebuilt_per_call",
    "JIT304": "jitlint.rules.recompilation.unhashable_static_argument",
    "JIT305": "jitlint.rules.recompilation.unknown_static_argument",
    "JIT308": "jitlint.rules.recompilation.non_array_argument",
    "JIT309": "jitlint.rules.recompilation.jit_on_method_traces_self",
    "JIT312": "jitlint.rules.recompilation.fresh_closure_in_eager_control_flow",
    "JIT313": "jitlint.rules.recompilation.cache_cleared_in_loop",
    "JIT404": "jitlint.rules.measurement.unrolled_python_loop",
    "JIT900": "jitlint.rules.internal.internal_error",
    "JIT901": "jitlint.rules.internal.syntax_error",
    "JIT902": "jitlint.rules.internal.unused_suppression",
    "JIT903": "jitlint.rules.internal.unsupported_syntax",
}
