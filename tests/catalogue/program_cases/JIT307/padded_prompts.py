import numpy as np

import padded

from tools.harm import compiled

PROMPTS = [np.arange(n) for n in (1, 3, 5, 6, 7, 2, 9)]


def few_shapes():
    assert compiled(lambda: padded.scores(PROMPTS), "score") == 1
    assert compiled(lambda: padded.in_buckets(PROMPTS), "bucketed_sum") == 3
    assert compiled(padded.generate, "write") == 1


HOSTILE = {}
INNOCENT = [few_shapes]
