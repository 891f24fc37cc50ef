"""Which code gets several devices."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.verify.driving.devices import give_virtual_devices, wants_several


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("step = jax.pmap(step)\n", True),
        ("from jax.sharding import Mesh\n", True),
        ("mesh = jax.make_mesh((4,), ('x',))\n", True),
        ("print(jax.devices())\n", False),
        ("mesh = trimesh.load('cat.obj')\n", False),
        ("MeshNetwork(3)\n", False),
    ],
)
def test_wants_several(tmp_path: Path, text: str, several: bool) -> None:
    plain = tmp_path / "plain.py"
    plain.write_text("import jax\n")
    path = tmp_path / "code.py"
    path.write_text(text)
    missing = str(tmp_path / "missing.py")
    assert wants_several([missing, str(plain), str(path)]) == several


def test_the_users_own_number_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("XLA_FLAGS", "--xla_force_host_platform_device_count=2"),
        ("JAX_NUM_CPU_DEVICES", "4"),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert not give_virtual_devices(None)
