"""The function table and its loader, without running JAX."""

import builtins
import importlib
import json
import subprocess
import sys

import pytest

from jitlint.jaxmodel import functions
from jitlint.jaxmodel.functions import (
    DATA_FILE,
    array_attribute,
    array_method,
    constant,
    dotted_exceptions,
    knows_module,
    lookup,
    parse_signature,
    table,
)

RETURN_KINDS = {"array", "array_list", "static", "operand", "none", "callable", "tree", "unknown"}


def rows():
    return [lookup(name) for name in table().rows]


@pytest.mark.parametrize(
    ("function", "parameter", "exception"),
    [
        ("jax.numpy.sum", "axis", "jax.errors.ConcretizationTypeError"),
        ("jax.numpy.sum", "keepdims", "ValueError"),
        ("jax.numpy.zeros", "shape", "TypeError"),
        ("jax.numpy.arange", "stop", "jax.errors.ConcretizationTypeError"),
        ("jax.numpy.linspace", "num", "jax.errors.ConcretizationTypeError"),
        ("jax.numpy.where", "size", "jax.errors.ConcretizationTypeError"),
        ("jax.numpy.eye", "N", "TypeError"),
        ("jax.random.normal", "shape", "TypeError"),
        ("jax.random.split", "num", "TypeError"),
        ("jax.nn.one_hot", "num_classes", "jax.errors.ConcretizationTypeError"),
        ("jax.lax.top_k", "k", "jax.errors.TracerBoolConversionError"),
        ("jax.lax.dynamic_slice", "slice_sizes", "TypeError"),
        ("jax.lax.scan", "length", "jax.errors.ConcretizationTypeError"),
        ("jax.ops.segment_sum", "num_segments", "jax.errors.ConcretizationTypeError"),
        ("jax.image.resize", "shape", "TypeError"),
    ],
)
def test_parameters_that_must_be_static(function, parameter, exception):
    assert exception in lookup(function).must_be_static[parameter]


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        ("jax.numpy.linspace", ("start", "stop")),
        ("jax.numpy.full", ("fill_value",)),
        ("jax.numpy.clip", ("arr", "min", "max")),
        ("jax.numpy.eye", ("k",)),
        ("jax.numpy.roll", ("shift",)),
        ("jax.numpy.where", ("condition", "x", "y")),
        ("jax.numpy.take", ("a", "indices", "mode")),
        ("jax.numpy.power", ("x1", "x2")),
        ("jax.numpy.quantile", ("q",)),
        ("jax.numpy.histogram", ("a", "bins")),
        ("jax.numpy.pad", ("constant_values",)),
        ("jax.numpy.insert", ("obj", "values")),
        ("jax.lax.dynamic_slice", ("start_indices",)),
        ("jax.lax.dynamic_slice_in_dim", ("start_index",)),
        ("jax.lax.dynamic_index_in_dim", ("index",)),
        ("jax.lax.fori_loop", ("lower", "upper")),
        ("jax.random.randint", ("minval", "maxval")),
        ("jax.random.bernoulli", ("p",)),
        ("jax.random.fold_in", ("data",)),
        ("jax.random.key", ("seed",)),
        ("jax.random.choice", ("a", "p")),
        ("jax.random.permutation", ("x",)),
    ],
)
def test_parameters_that_may_be_traced(function, parameters):
    assert not set(parameters) & set(lookup(function).must_be_static)


def test_no_dtype_is_ever_an_entry():
    named = [
        (fact.name, parameter)
        for fact in rows()
        for parameter in fact.must_be_static
        if parameter in {"dtype", "out", "device", "sharding", "out_sharding", "precision"}
    ]
    assert named == []


@pytest.mark.parametrize(
    ("function", "returns"),
    [
        ("jax.numpy.sum", "array"),
        ("jax.numpy.shape", "static"),
        ("jax.numpy.ndim", "static"),
        ("jax.numpy.result_type", "static"),
        ("jax.numpy.linalg.svd", "arrays:3"),
        ("jax.numpy.linalg.slogdet", "arrays:2"),
        ("jax.lax.top_k", "arrays:2"),
        ("jax.numpy.split", "array_list"),
        ("jax.numpy.meshgrid", "array_list"),
        ("jax.device_put", "operand"),
        ("jax.block_until_ready", "operand"),
        ("jax.tree.map", "tree"),
        ("jax.tree.leaves", "array_list"),
        ("jax.tree.structure", "static"),
        ("jax.lax.cond", "tree"),
        ("jax.nn.initializers.normal", "callable"),
        ("jax.debug.print", "none"),
        ("jax.device_count", "static"),
        ("builtins.len", "static"),
        ("builtins.isinstance", "static"),
        ("builtins.abs", "array"),
        ("numpy.shape", "static"),
        ("operator.add", "array"),
    ],
)
def test_what_comes_back(function, returns):
    assert lookup(function).returns == returns


@pytest.mark.parametrize(
    ("function", "exception"),
    [
        ("float", "jax.errors.ConcretizationTypeError"),
        ("builtins.float", "TypeError"),
        ("builtins.bool", "jax.errors.TracerBoolConversionError"),
        ("builtins.bool", "ValueError"),
        ("builtins.range", "jax.errors.TracerIntegerConversionError"),
        ("builtins.hash", "TypeError"),
        ("math.sin", "jax.errors.ConcretizationTypeError"),
        ("math.factorial", "jax.errors.TracerIntegerConversionError"),
        ("operator.index", "jax.errors.TracerIntegerConversionError"),
        ("operator.not_", "jax.errors.TracerBoolConversionError"),
        ("random.randint", "jax.errors.ConcretizationTypeError"),
        ("json.dumps", "TypeError"),
        ("numpy.sin", "jax.errors.TracerArrayConversionError"),
        ("numpy.asarray", "jax.errors.TracerArrayConversionError"),
        ("numpy.einsum", "jax.errors.TracerArrayConversionError"),
        ("numpy.zeros", "TypeError"),
        ("numpy.random.normal", "jax.errors.TracerArrayConversionError"),
        ("scipy.special.gammaln", "jax.errors.TracerArrayConversionError"),
        ("scipy.linalg.solve", "jax.errors.TracerArrayConversionError"),
        ("scipy.stats.norm.pdf", "jax.errors.TracerArrayConversionError"),
    ],
)
def test_calls_that_fail_on_a_tracer(function, exception):
    fact = lookup(function)
    assert exception in fact.fails_on_tracer
    assert fact.fails_parameters == ()
    assert not fact.dispatches_to_method


@pytest.mark.parametrize("name", "sum mean max min prod cumsum argmax squeeze reshape".split())
def test_numpy_functions_that_dispatch_to_the_method(name):
    fact = lookup(f"numpy.{name}")
    assert fact.dispatches_to_method
    assert fact.returns == "array"
    assert "a" not in fact.fails_parameters


def test_numpy_functions_that_answer_wrongly():
    wrong = {fact.name for fact in rows() if fact.silently_wrong}
    assert wrong == {"numpy.array_equal", "numpy.array_equiv"}


@pytest.mark.parametrize(
    ("function", "escapes", "applies"),
    [
        ("jax.numpy.nonzero", ("size",), "any"),
        ("jax.numpy.unique", ("size",), "any"),
        ("jax.numpy.bincount", ("length",), "any"),
        ("jax.numpy.roots", ("strip_zeros",), "any"),
        ("jax.numpy.trim_zeros", (), "any"),
        ("jax.numpy.repeat", ("total_repeat_length",), "traced"),
        ("jax.numpy.delete", ("assume_unique_indices",), "traced"),
        ("jax.ops.segment_max", ("num_segments",), "any"),
    ],
)
def test_data_dependent_shapes(function, escapes, applies):
    dependence = lookup(function).data_dependent
    assert dependence.escapes == escapes
    assert dependence.applies == applies
    assert dependence.exceptions


def test_where_depends_on_data_with_one_argument_only():
    dependence = lookup("jax.numpy.where").data_dependent
    assert dependence.when_arity == 1
    assert dependence.escapes == ("size",)
    assert lookup("jax.numpy.sum").data_dependent is None


def test_repeat_is_free_when_the_total_is_given():
    assert lookup("jax.numpy.repeat").unless_given == {"repeats": "total_repeat_length"}


def test_escape_that_helps_only_with_some_values():
    assert lookup("jax.numpy.choose").data_dependent.escape_values == {"mode": ("clip", "wrap")}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("shape", "static"),
        ("ndim", "static"),
        ("dtype", "static"),
        ("size", "static"),
        ("T", "array"),
        ("mT", "array"),
        ("real", "array"),
        ("at", "at"),
        ("sharding", "missing"),
        ("device", "missing"),
        ("flags", "missing"),
        ("addressable_shards", "concretizes"),
    ],
)
def test_array_attributes(name, kind):
    assert array_attribute(name).kind == kind
    assert functions.ARRAY_ATTRIBUTES[name] == kind


def test_attributes_that_raise_say_so():
    assert array_attribute("sharding").exceptions == ("AttributeError",)
    assert array_attribute("committed").exceptions == ("jax.errors.ConcretizationTypeError",)
    assert array_attribute("shape").exceptions == ()
    assert array_attribute("sum") is None
    assert array_attribute("no_such_attribute") is None


def test_array_methods():
    assert [p.name for p in array_method("sum").parameters][:2] == ["axis", "dtype"]
    assert "axis" in array_method("sum").must_be_static
    assert "args" in array_method("reshape").must_be_static
    assert array_method("item").fails_on_tracer == ("jax.errors.ConcretizationTypeError",)
    assert array_method("tolist").fails_on_tracer == ("jax.errors.ConcretizationTypeError",)
    assert array_method("block_until_ready").fails_on_tracer == ("AttributeError",)
    assert array_method("nonzero").data_dependent.escapes == ("size",)
    assert array_method("clip").must_be_static == {}
    assert array_method("no_such_method") is None


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("jax.tree_map", "jax.tree.map"),
        ("jax.tree_util.tree_map", "jax.tree_util.tree_map"),
        ("jax.nn.swish", "jax.nn.silu"),
        ("jax.numpy.trapz", "jax.numpy.trapezoid"),
        ("numpy.abs", "numpy.absolute"),
        ("numpy.concat", "numpy.concatenate"),
        ("len", "builtins.len"),
    ],
)
def test_other_names_of_a_function(alias, name):
    assert lookup(alias).name == name


def test_every_alias_leads_to_a_row():
    for alias in table().aliases:
        assert table().canonical(alias) in {*table().rows, *table().constants}, alias


def test_former_names_lead_somewhere():
    for former in functions._FORMER_NAMES:
        target = table().canonical(former)
        assert target in table().rows or constant(target), former


def test_modules_and_constants():
    assert knows_module("jax.numpy")
    assert knows_module("jax.numpy.linalg")
    assert not knows_module("flax.linen")
    assert constant("jax.numpy.pi") == "static"
    assert constant("math.inf") == "static"
    assert constant("jax.numpy.float32") == "dtype"
    assert constant("jax.numpy.floating") == "dtype"
    assert constant("jax.lax.Precision") == "type"
    assert constant("jax.numpy.sum") is None
    assert lookup("jax.numpy.no_such_function") is None


def test_signatures_are_read():
    parameters = parse_signature("a b= / c * d= **rest")
    assert [(p.name, p.kind, p.has_default) for p in parameters] == [
        ("a", "positional", False),
        ("b", "positional", True),
        ("c", "either", False),
        ("d", "keyword", True),
        ("rest", "var_keyword", True),
    ]
    assert [p.kind for p in parse_signature("*args size=")] == ["var_positional", "keyword"]
    assert parse_signature("") == ()


def test_every_row_is_sound():
    for fact in rows():
        names = {parameter.name for parameter in fact.parameters or ()}
        assert fact.returns in RETURN_KINDS or fact.returns.removeprefix("arrays:").isdigit(), fact
        assert fact.evidence in {"run", "doc"}
        if fact.parameters is not None:
            assert len(names) == len(fact.parameters), fact.name
            assert set(fact.must_be_static) <= names, fact.name
            assert set(fact.fails_parameters) <= names, fact.name
            assert set(fact.unless_given.values()) <= names, fact.name
            if fact.data_dependent is not None:
                assert set(fact.data_dependent.escapes) <= names, fact.name
        assert all(fact.must_be_static.values()), fact.name
        assert not (set(fact.must_be_static) & set(fact.documented_static)), fact.name


def every_exception():
    for fact in rows():
        yield from fact.fails_on_tracer
        for names in fact.must_be_static.values():
            yield from names
        if fact.data_dependent is not None:
            yield from fact.data_dependent.exceptions
    for name in table().attributes:
        yield from array_attribute(name).exceptions


def test_builtin_exceptions_exist():
    for name in {name for name in every_exception() if "." not in name}:
        assert issubclass(getattr(builtins, name), Exception), name


@pytest.mark.jax
def test_jax_exceptions_exist():
    for name in {name for name in every_exception() if "." in name}:
        module, _, attribute = name.rpartition(".")
        assert issubclass(getattr(importlib.import_module(module), attribute), Exception)


def test_exception_names_are_expanded():
    assert dotted_exceptions("TypeError TracerBoolConversionError") == (
        "TypeError",
        "jax.errors.TracerBoolConversionError",
    )
    assert dotted_exceptions("") == ()


def test_the_file_is_sorted_one_row_a_line_without_duplicates():
    def unique(pairs):
        names = [name for name, _ in pairs]
        assert len(names) == len(set(names))
        return dict(pairs)

    text = DATA_FILE.read_text(encoding="utf-8")
    document = json.loads(text, object_pairs_hook=unique)
    for title, content in document.items():
        assert list(content) == sorted(content), title
    assert len(text.splitlines()) >= len(document["functions"]) + len(document["aliases"])


def test_lookup_imports_neither_jax_nor_numpy():
    program = (
        "import sys; from jitlint.jaxmodel import functions; "
        "functions.lookup('jax.numpy.sum'); "
        "sys.exit(bool({'jax', 'numpy', 'scipy', 'libcst'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
