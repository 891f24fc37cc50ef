"""The stored table of functions says what the installed JAX does; how tables are compared."""

import json

import pytest

from jitlint.jaxmodel import frameworks, functions
from tools.observed.tables import AGREES, TABLES, subject
from tools.probes.documents import differences, merged, other_versions, read, rendered

FILES = (functions.DATA_FILE, frameworks.FACTS_FILE, frameworks.TRANSFORMS_FILE)


@pytest.mark.jax
@pytest.mark.slow
def test_the_table_of_functions_agrees_with_the_installed_jax():
    pytest.importorskip("jax")
    [(_, outcome)] = TABLES.observe([subject(functions.DATA_FILE)])
    assert outcome == AGREES, outcome


@pytest.mark.jax
def test_the_probe_sees_a_function_that_it_was_not_told_about():
    jax = pytest.importorskip("jax")
    from tools.probes.function_calls import Subject, compact_signature
    from tools.probes.function_rows import Prober

    def tiled(x, times, scale=2.0):
        return jax.numpy.tile(x * scale, times)

    subject = Subject("tests.tiled", tiled, compact_signature(tiled))
    prober = Prober()
    baseline = {"x": prober.samples["V"], "times": 2}
    assert prober.failures_of(subject, baseline, "times") == ["TypeError"]
    assert prober.failures_of(subject, baseline, "x") == []
    assert prober.failures_of(subject, baseline, "scale") == []
    assert subject.attempt(baseline, ["x"]).returns == "array"


def test_differences_name_the_row_and_the_change():
    stored = {"functions": {"a.b": {"returns": "static"}, "a.gone": {}}, "modules": ["m"]}
    measured = {"functions": {"a.b": {"returns": "none"}, "a.new": {}}, "modules": ["m", "n"]}
    assert differences(stored, measured) == [
        "functions: a.b: returns: 'static' -> 'none'",
        "functions: a.gone: gone (was {})",
        "functions: a.new: new {}",
        "modules: n: new",
    ]
    assert differences(stored, stored) == []


def test_rows_of_python_count_only_under_the_same_python():
    stored = {"functions": {"math.old": {}}, "versions": {"python": "3.11"}}
    measured = {"functions": {"math.new": {}}, "versions": {"python": "3.13"}}
    assert differences(stored, measured) == []
    assert other_versions(stored, measured) == [
        "the table was made with python 3.11, installed is 3.13"
    ]


def test_what_was_not_measured_stays():
    stored = {"functions": {"a.x": {}, "b.x": {}}, "modules": ["a", "b"]}
    measured = {"functions": {"a.y": {}}, "modules": ["a"]}
    assert merged(stored, measured, "") == measured
    assert merged(stored, measured, "a.") == {
        "functions": {"b.x": {}, "a.y": {}},
        "modules": ["a", "b"],
    }


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_document_is_written_as_it_was_read(path):
    assert rendered(json.loads(path.read_bytes())) == path.read_text(encoding="utf-8")


def test_the_product_knows_with_what_the_table_was_made():
    assert functions.table().versions == read(functions.DATA_FILE)["versions"]
