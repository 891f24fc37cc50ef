"""Characters as numbers."""

import numpy as np


class Alphabet:
    """Grows while text is read; frozen afterwards."""

    def __init__(self):
        self.index = {}

    def encode(self, text):
        codes = []
        for letter in text:
            if letter not in self.index:
                self.index[letter] = len(self.index)
            codes.append(self.index[letter])
        return np.array(codes, np.int32)

    def __len__(self):
        return len(self.index)
