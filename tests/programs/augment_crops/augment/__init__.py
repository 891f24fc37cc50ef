"""Image augmentation on the accelerator."""

from .pipeline import Config, augment_batch, evaluation_batch, make_train_augment

__all__ = ["Config", "augment_batch", "evaluation_batch", "make_train_augment"]
