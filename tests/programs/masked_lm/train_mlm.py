import jax
import jax.numpy as jnp
import numpy as np
from mlm import Vocabulary, host_mask, model

TEXT = ["the cat sat on the carpet", "a dog barked loudly", "the elephant remembered"]


def build():
    vocabulary = Vocabulary(TEXT)
    batch = jnp.array([vocabulary.encode(line, 6) for line in TEXT])
    return vocabulary, batch, model.init(jax.random.key(0), len(vocabulary))


def train(mode="where", skip_rare=False, epochs=2):
    vocabulary, batch, params = build()
    step = model.make_step(vocabulary, mode, skip_rare=skip_rare)
    for epoch in range(epochs):
        params, loss = step(params, jax.random.key(epoch), batch)
        print(epoch, f"{float(loss):.3f}")
    return params


def main():
    vocabulary, batch, _ = build()
    train()
    masked, hidden = host_mask(np.random.default_rng(0), batch[0])
    print(vocabulary.decode(masked.tolist()), "|", vocabulary.decode(hidden))
    print([word for word in range(len(vocabulary)) if vocabulary.is_rare(word)])
    print(model.frequencies_static(batch, len(vocabulary)))
    print(model.frequencies(batch, len(vocabulary)))
    for mode in ("quota", "scatter"):
        train(mode)
    train(skip_rare=True)


if __name__ == "__main__":
    main()
