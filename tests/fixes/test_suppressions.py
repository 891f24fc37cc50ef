"""JIT902: comments that silence nothing are removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed

_CODE = "@jax.jit\ndef f(x):\n    {}\n        return x\n    return -x\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if x.ndim > 1:  # noqa: JIT101", "if x.ndim > 1:"),
        ("if x.ndim > 1:  # noqa: JIT101 as it was", "if x.ndim > 1:"),
        ("if x.ndim > 1:  # jitlint: ignore[JIT101] no", "if x.ndim > 1:"),
        ("if x.ndim > 1:  # why  # noqa: JIT101", "if x.ndim > 1:  # why"),
        ("if x.ndim > 1:  # noqa: JIT101, E501", "if x.ndim > 1:  # noqa: E501"),
        ("if x.ndim > 1:  # noqa: E501,JIT101,W1", "if x.ndim > 1:  # noqa: E501,W1"),
        ("if x.sum() > 1:  # noqa: JIT101,JIT105", "if x.sum() > 1:  # noqa: JIT101"),
        ("# jitlint: ignore-file\n    if x.ndim > 1:", "if x.ndim > 1:"),
    ],
)
def test_what_silences_nothing_goes(old: str, new: str, tmp_path: Path) -> None:
    assert fixed(_CODE.format(old), tmp_path) == _CODE.format(new)


def test_what_is_needed_stays(tmp_path: Path) -> None:
    source = _CODE.format("if x.sum() > 1:  # noqa: JIT101")
    assert fixed(source, tmp_path, unsafe=True) == source
