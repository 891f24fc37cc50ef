"""The stored table says what the installed JAX does."""

import pytest

from jitlint.jaxmodel import probe
from jitlint.jaxmodel.functions import table

pytestmark = pytest.mark.jax

REGENERATE = "python -m jitlint.jaxmodel.probe --write"
SHOWN = 60  # more lines would hide the first ones


@pytest.fixture(scope="module")
def probed():
    pytest.importorskip("jax")
    document, _ = probe.build_table()
    return document


@pytest.mark.slow
def test_table_agrees_with_the_installed_jax(probed):
    stored = probe.stored_document()
    found = probe.differences(stored, probed)
    if not found:
        return
    lines = [f"{len(found)} rows of the function table differ from what the libraries do:"]
    lines += found[:SHOWN]
    if len(found) > SHOWN:
        lines.append(f"... and {len(found) - SHOWN} more")
    lines += [
        f"the table was made with {name} {stored['versions'].get(name)}, installed is {version}"
        for name, version in probed["versions"].items()
        if stored["versions"].get(name) != version
    ]
    lines.append(f"judge the changes, then regenerate with: {REGENERATE}")
    pytest.fail("\n".join(lines), pytrace=False)


def test_probe_sees_a_function_that_it_was_not_told_about():
    jax = pytest.importorskip("jax")

    def tiled(x, times, scale=2.0):
        return jax.numpy.tile(x * scale, times)

    subject = probe.Subject("tests.tiled", tiled, probe.compact_signature(tiled))
    prober = probe.Prober({})
    baseline = {"x": prober.samples["V"], "times": 2}
    assert prober.failures_of(subject, baseline, "times") == ["TypeError"]
    assert prober.failures_of(subject, baseline, "x") == []
    assert prober.failures_of(subject, baseline, "scale") == []
    assert subject.attempt(baseline, ["x"]).returns == "array"


def test_differences_name_the_row_and_the_change():
    stored = {"functions": {"a.b": {"returns": "static"}, "a.gone": {}}, "modules": ["m"]}
    probed = {"functions": {"a.b": {"returns": "none"}, "a.new": {}}, "modules": ["m", "n"]}
    assert probe.differences(stored, probed) == [
        "functions: a.b: returns: 'static' -> 'none'",
        "functions: a.gone: gone (was {})",
        "functions: a.new: new {}",
        "modules: n: new",
    ]
    assert probe.differences(stored, stored) == []


def test_rows_of_python_count_only_under_the_same_python():
    stored = {"functions": {"math.old": {}}, "versions": {"python": "3.11"}}
    probed = {"functions": {"math.new": {}}, "versions": {"python": "3.13"}}
    assert probe.differences(stored, probed) == []


def test_written_document_is_read_back():
    stored = probe.stored_document()
    import json

    assert json.loads(probe.dumps(stored)) == stored
    assert stored["versions"] == table().versions
