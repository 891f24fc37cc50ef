import jax
import pytest


@pytest.fixture(scope="module", autouse=True)
def fresh_caches():
    yield
    jax.clear_caches()
