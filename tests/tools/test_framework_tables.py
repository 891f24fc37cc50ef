"""The stored tables of the frameworks say what the installed packages do."""

import pytest

from jitlint.jaxmodel import frameworks
from tools.probes.documents import differences, read

pytestmark = [pytest.mark.jax, pytest.mark.slow]


@pytest.mark.parametrize(
    ("path", "measure"),
    [
        (frameworks.FACTS_FILE, "facts_document"),
        (frameworks.TRANSFORMS_FILE, "transforms_document"),
    ],
    ids=["facts", "transforms"],
)
def test_a_table_agrees_with_the_installed_packages(path, measure):
    for package in ("optax", "flax", "equinox", "haiku", "chex", "jmp"):
        pytest.importorskip(package)
    from tools.probes import framework_tables

    stored = read(path)
    if stored["meta"] != framework_tables.versions():
        pytest.skip("other versions than those measured are installed")
    found = differences(stored, getattr(framework_tables, measure)(stored))
    assert not found, "\n".join(found)
