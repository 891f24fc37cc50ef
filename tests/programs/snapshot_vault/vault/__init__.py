"""Checkpoints of a long fit."""

from vault.names import run_label
from vault.store import Store, keep_best, sizes

__all__ = ["Store", "keep_best", "run_label", "sizes"]
