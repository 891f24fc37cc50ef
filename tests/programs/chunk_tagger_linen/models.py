"""The tagger and its losses."""

import flax.linen as nn
import jax.numpy as jnp
import optax


class Tagger(nn.Module):
    """Embeds, smooths over neighbours and scores the tags of each token."""

    vocabulary: int = 20
    width: int = 8
    tags: int = 3

    @nn.compact
    def __call__(self, tokens):
        hidden = nn.Embed(self.vocabulary, self.width)(tokens)
        outputs = []
        for shift in (-1, 0, 1):
            outputs.append(nn.Dense(self.width, name=f"shift_{shift + 1}")(jnp.roll(hidden, shift, 1)))
        mixed = nn.gelu(sum(outputs))
        self.sow("intermediates", "mixed", mixed)
        return nn.Dense(self.tags)(mixed)


def cross_entropy(logits, tags):
    """Mean over tokens."""
    return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(logits, tags))


def per_tag_accuracy(logits, tags):
    """Accuracy of each tag."""
    right = jnp.argmax(logits, -1) == tags
    scores = {}
    for tag in range(logits.shape[-1]):
        here = tags == tag
        scores[tag] = jnp.sum(right & here) / jnp.maximum(jnp.sum(here), 1)
    return jnp.stack(list(scores.values()))
