import batching as b
import learning
import merge

TEXTS = ["banana band", "bandana", "anna"]
TABLE = learning.learn(TEXTS, 3)
E = b.Encoder(TABLE, 12)
HOSTILE = {
    "exhaust": lambda: E.merge_all(TEXTS, TABLE[0], strategy=merge.exhaust),
    "distinct": lambda: b.describe(E(TEXTS), "distinct"),
    "listed": lambda: b.describe(E(TEXTS), "pairs"),
    "crop": lambda: b.crop(E(TEXTS)),
    "bucket": lambda: b.bucket_shape(E(TEXTS)),
}
EXPECT = {
    "exhaust": ("TracerBoolConversionError",),
    "distinct": ("TypeError",),
    "listed": ("ConcretizationTypeError",),
    "crop": ("NonConcreteBooleanIndexError",),
    "bucket": ("TypeError",),
}
INNOCENT = [
    lambda: E(TEXTS),
    lambda: E.merge_all(TEXTS, TABLE[0]),
    lambda: b.attention_bias(E(TEXTS)),
    lambda: b.sort_by_length(E(TEXTS)),
    lambda: merge.pair_counts(E(TEXTS)[0]),
]
