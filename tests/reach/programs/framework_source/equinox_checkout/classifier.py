"""A classifier on it."""

import equinox as eqx
import jax
import jax.numpy as jnp

seen = []


class Classifier(eqx.Module):
    """Linear, with a temperature that must be positive."""

    weight: jax.Array
    temperature: jax.Array
    classes: int = eqx.field(static=True, default=2)
    robust: bool = eqx.field(static=True, default=False)

    def __call__(self, x):
        if self.temperature <= 0:  # expect: JIT101 @temperature
            raise ValueError("a temperature is positive")
        return self.weight @ x / self.temperature

    def logits(self, x):
        return self.weight @ x if self.classes > 1 else self.weight[0] * x

    @eqx.filter_jit
    def predict(self, x):
        logits = self.logits(x)
        return ["no", "yes"][jnp.argmax(logits)]  # expect: JIT107 @names


@eqx.filter_jit
def loss_of(model, x, label):
    return -jax.nn.log_softmax(model(x))[label]


@eqx.filter_jit
def step(model, x, label, rate=0.1):
    """The rate is a Python number, so it is static."""

    def loss(model):
        logits = jax.nn.log_softmax(model.logits(x))
        seen.append(logits[label])  # expect: JIT202 @seen
        return -logits[label]

    if rate <= 0:
        raise ValueError("the rate must be positive")
    value, grads = eqx.filter_value_and_grad(loss)(model)
    if value < 1e-6:  # expect: JIT101 @perfect
        return model, value
    return jax.tree.map(lambda p, g: p - rate * g, model, grads), value


@eqx.filter_jit
def scores(model, xs):
    return jax.vmap(model.logits)(xs)


def make():
    return Classifier(jnp.eye(2), jnp.float32(1.0))
