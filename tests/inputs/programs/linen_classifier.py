"""A classifier of flax.linen."""

import flax.linen as nn
import jax


class Classifier(nn.Module):
    width: int = 8
    classes: int = 3

    @nn.compact
    def __call__(self, x, train: bool = False):
        x = nn.Dense(self.width)(x)
        spread = x.std()
        if spread < 1e-4:  # expect: JIT101 @flat
            x = x + 1e-3
        x = nn.relu(x)
        return nn.Dense(self.classes)(x)


model = Classifier()


@jax.jit
def evaluate(variables, x, labels):
    logits = model.apply(variables, x)
    wrong = logits.argmax(-1) != labels
    misses = x[wrong]  # expect: JIT109 @misses
    return misses.shape[0]
