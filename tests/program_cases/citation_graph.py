import jax
import jax.numpy as jnp
from citation_graph import layers
from citation_graph.classify import Classifier, accuracy, accuracy_on_subset

from tools.observation import compilations, is_tracer

key = jax.random.key(2)
graph = layers.Graph(
    jax.random.normal(key, (6, 4)), jnp.array([0, 1, 2, 3, 4]), jnp.array([1, 2, 3, 4, 5])
)
labels = jnp.array([0, 1, 0, 1, 0, 1])
mask = jnp.array([1.0, 1.0, 0.0, 0.0, 1.0, 1.0])


def classifier():
    return Classifier(layers.init(key, [4, 5, 2]), graph, labels)


def attention():
    classifier().train(mask, 2)
    return is_tracer(layers.attention_of_last_layer)


def widths():
    noted = layers.forward.__defaults__[0]
    noted.clear()
    classifier().train(mask, 4)
    return noted == [5, 2]


def bound():
    first = classifier()
    first.train(mask, 1)
    return compilations(lambda: first.train_carelessly(mask, 4)) >= 4


HOSTILE = {"position": accuracy_on_subset}
EXPECT = {"position": ("ValueError",)}
SILENT = {"attention": attention, "widths": widths, "bound": bound}


def once():
    second = classifier()
    second.train(mask, 1)
    assert compilations(lambda: second.train(mask, 5)) <= 1


INNOCENT = [once, lambda: accuracy(jnp.eye(6)[:, :2], labels, mask)]
