from .masking import MASK, PAD, host_mask, select_tokens
from .vocabulary import Vocabulary

__all__ = ["MASK", "PAD", "Vocabulary", "host_mask", "select_tokens"]
