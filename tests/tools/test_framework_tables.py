"""The stored tables of the frameworks say what the installed packages do."""

import pytest

from jitlint.jaxmodel import frameworks
from tools.observed.tables import AGREES, TABLES, subject
from tools.probes.documents import read

pytestmark = [pytest.mark.jax, pytest.mark.slow]


@pytest.mark.parametrize(
    "path", [frameworks.FACTS_FILE, frameworks.TRANSFORMS_FILE], ids=lambda path: path.stem
)
def test_a_table_agrees_with_the_installed_packages(path):
    for package in ("optax", "flax", "equinox", "haiku", "chex", "jmp"):
        pytest.importorskip(package)
    from tools.probes import framework_tables

    if read(path)["meta"] != framework_tables.versions():
        pytest.skip("other versions than those measured are installed")
    [(_, outcome)] = TABLES.observe([subject(path)])
    assert outcome == AGREES, outcome
