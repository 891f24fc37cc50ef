"""The tables of framework facts: what the loader gives, and whether the packages still agree."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from jitlint.jaxmodel import frameworks
from jitlint.jaxmodel.frameworks import base_class, framework_transform, lookup

RETURNS = {
    "array", "tree", "tree_pair", "static", "argument", "none", "callable", "object", "raises",
    "unknown",
}  # fmt: skip


def valid_result(text: str) -> bool:
    return text in RETURNS or text.startswith(("arrays:", "object:"))


def test_a_loss_gives_an_array_and_wants_a_static_axis() -> None:
    fact = lookup("optax.softmax_cross_entropy")
    assert fact is not None
    assert fact.returns == "array"
    assert "axis" in fact.must_be_static
    assert fact.parameters is not None
    assert [parameter.name for parameter in fact.parameters][:2] == ["logits", "labels"]


def test_every_spelling_leads_to_the_same_fact() -> None:
    assert lookup("optax.losses.softmax_cross_entropy") == lookup("optax.softmax_cross_entropy")
    assert lookup("flax.linen.linear.Dense") == lookup("flax.linen.Dense")
    assert lookup("haiku._src.basic.Linear") == lookup("haiku.Linear")


def test_names_that_are_jax_functions_point_there() -> None:
    fact = lookup("flax.linen.relu")
    assert fact is not None
    assert fact.same_as == "jax.nn.relu"


def test_unknown_names_give_nothing() -> None:
    assert lookup("optax.no_such_thing") is None
    assert base_class("equinox.NoSuchThing") is None
    assert framework_transform("haiku.no_such_thing") is None


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("flax.linen.Dense", "array"),
        ("flax.linen.LSTMCell", "tree_pair"),
        ("flax.linen.MultiHeadDotProductAttention", "array"),
        ("flax.nnx.Linear", "array"),
        ("equinox.nn.Linear", "array"),
        ("equinox.nn.LSTMCell", "arrays:2"),
        ("haiku.Linear", "array"),
    ],
)
def test_calling_a_layer(name: str, result: str) -> None:
    fact = lookup(name)
    assert fact is not None
    assert fact.kind == "module_class"
    assert fact.call_returns == result


@pytest.mark.parametrize(
    ("name", "flag"),
    [
        ("flax.linen.Dropout", "deterministic"),
        ("flax.linen.BatchNorm", "use_running_average"),
        ("flax.nnx.Dropout", "deterministic"),
        ("haiku.BatchNorm", "is_training"),
    ],
)
def test_mode_flags_of_layers_must_be_static(name: str, flag: str) -> None:
    fact = lookup(name)
    assert fact is not None
    assert "jax.errors.TracerBoolConversionError" in fact.call_must_be_static[flag]


def test_gradient_transformations_have_init_and_update() -> None:
    fact = lookup("optax.adam")
    assert fact is not None
    assert fact.returns == "object:optax.GradientTransformation"
    described = base_class("optax.GradientTransformation")
    assert described is not None
    assert described.methods == {"init": "tree", "update": "tree_pair"}


def test_schedules_give_arrays_except_the_constant_one() -> None:
    cosine, constant = lookup("optax.cosine_decay_schedule"), lookup("optax.constant_schedule")
    assert cosine is not None and constant is not None
    assert (cosine.returns, cosine.call_returns) == ("callable", "array")
    assert constant.call_returns == "static"


def test_train_state_has_static_functions_and_traced_parameters() -> None:
    state = base_class("flax.training.train_state.TrainState")
    assert state is not None
    assert state.pytree and state.frozen
    assert set(state.static_fields) == {"apply_fn", "tx"}
    assert set(state.traced_fields) == {"step", "params", "opt_state"}
    assert state.methods["apply_gradients"] == "same"


@pytest.mark.parametrize(
    ("name", "pytree", "fields"),
    [
        ("equinox.Module", True, "traced"),
        ("flax.struct.dataclass", True, "traced"),
        ("flax.struct.PyTreeNode", True, "traced"),
        ("chex.dataclass", True, "traced"),
        ("flax.linen.Module", False, "static"),
        ("flax.nnx.Module", True, "variables"),
        ("haiku.Module", False, "static"),
        ("typing.NamedTuple", True, "traced"),
        ("dataclasses.dataclass", False, "static"),
        ("jax.tree_util.register_static", True, "static"),
    ],
)
def test_classes(name: str, pytree: bool, fields: str) -> None:
    described = base_class(name)
    assert described is not None
    assert (described.pytree, described.fields) == (pytree, fields)


def test_static_markers() -> None:
    module, node = base_class("equinox.Module"), base_class("flax.struct.PyTreeNode")
    assert module is not None and node is not None
    assert frameworks.StaticMarker("equinox.field", "static", "True") in module.static_markers
    assert (
        frameworks.StaticMarker("flax.struct.field", "pytree_node", "False") in node.static_markers
    )


@pytest.mark.parametrize(
    ("name", "abstract", "traced", "gives"),
    [
        ("equinox.filter_jit", True, "arrays", "callable"),
        ("equinox.filter_grad", False, "first", "callable"),
        ("equinox.internal.while_loop", True, "operands", "result"),
        ("flax.linen.jit", True, "variables", "callable"),
        ("flax.linen.scan", True, "operands", "callable"),
        ("flax.nnx.jit", True, "leaves", "callable"),
        ("flax.nnx.value_and_grad", False, "selected", "callable"),
        ("flax.nnx.cond", True, "operands", "result"),
        ("haiku.transform", False, "none", "transformed"),
        ("haiku.scan", True, "operands", "result"),
        ("optax.value_and_grad_from_state", True, "first", "callable"),
        ("diffrax.ODETerm", True, "leaves", "solver"),
    ],
)
def test_transforms(name: str, abstract: bool, traced: str, gives: str) -> None:
    row = framework_transform(name)
    assert row is not None
    assert (row.abstract, row.traced, row.gives) == (abstract, traced, gives)


def test_calling_conventions() -> None:
    scan, cond = framework_transform("haiku.scan"), framework_transform("haiku.cond")
    loop = framework_transform("flax.nnx.fori_loop")
    callback = framework_transform("equinox.filter_pure_callback")
    assert scan is not None and cond is not None and loop is not None and callback is not None
    assert scan.functions[0].passes == ("carry", "x")
    assert [function.index for function in cond.functions] == [1, 2]
    assert loop.functions[0].index == 2
    assert loop.functions[0].passes == ("index", "carry")
    assert callback.host and not callback.abstract


def test_every_row_loads_and_uses_known_words() -> None:
    facts = json.loads(frameworks.FACTS_FILE.read_text(encoding="utf-8"))
    for name in facts["functions"]:
        fact = lookup(name)
        assert fact is not None
        assert valid_result(fact.returns), name
        assert fact.call_returns is None or valid_result(fact.call_returns), name
        assert (fact.returns == "raises") == bool(fact.fails_on_tracer), name
    for name, row in facts["classes"].items():
        assert base_class(name) is not None
        assert row["fields"] in {"traced", "static", "variables", "unknown"}, name
    for alias, name in facts["aliases"].items():
        assert name in facts["functions"] or name in facts["classes"], alias
    for name in frameworks.transform_names():
        row = framework_transform(name)
        assert row is not None
        assert row.gives in {"callable", "result", "transformed", "solver", "context"}, name


def test_loading_imports_no_framework() -> None:
    program = (
        "import sys; from jitlint.jaxmodel.frameworks import lookup; lookup('optax.adam');"
        "print(sorted({'jax', 'optax', 'flax', 'equinox', 'haiku', 'numpy'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
