"""What configuration files set: defaults of Gin's configurables say nothing of what is there."""

from __future__ import annotations

import pytest

from tests.linting import check_project

_PROGRAM = """
    import dataclasses
    import gin
    import jax
    import jax.numpy as jnp
    import numpy as np

    {decorator}
    @dataclasses.dataclass
    class Config:
        cast: bool = False
        scale: float = 2.0

    def step(x, config):
        if config.scale > 1.0:
            x = x * config.scale
        if config.cast:
            x = np.sin(x){label}
        return x

    def main():
        config = Config()
        return jax.jit(lambda x: step(x, config))(jnp.ones(3))
"""


@pytest.mark.parametrize(
    ("decorator", "label"),
    [
        ("@gin.configurable()", "  # JIT106"),
        ("@gin.configurable", "  # JIT106"),
        # What is made in sight has its defaults.
        ("", ""),
    ],
)
def test_fields_of_configured_classes(decorator: str, label: str) -> None:
    check_project({"train.py": _PROGRAM.format(decorator=decorator, label=label)})


def test_parameters_of_configured_functions() -> None:
    check_project(
        {
            "train.py": """
                import gin
                import jax
                import jax.numpy as jnp

                @gin.configurable
                def loss(x, clip=False, steps=2):
                    for _ in range(steps):
                        x = x + 1
                    if clip and x.max() > 1:  # JIT101
                        x = x / x.max()
                    return x

                def plain(x, clip=False):
                    if clip and x.max() > 1:
                        x = x / x.max()
                    return x

                @jax.jit
                def train(x):
                    return loss(x) + plain(x)
            """
        }
    )
