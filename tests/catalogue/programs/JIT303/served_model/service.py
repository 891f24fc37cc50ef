"""A small inference service; who calls its handlers is not to be seen."""

from http.server import BaseHTTPRequestHandler

import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self, weights):
        self.weights = weights

    def embed(self, x):
        return jnp.tanh(x @ self.weights)


class Service:
    def __init__(self, model):
        self.model = model
        self.index = np.zeros((0, 3), np.float32)

    def _vectors(self, texts):
        forward = jax.jit(self.model.embed)  # expect: JIT303 @embed
        return np.asarray(forward(np.asarray(texts, np.float32)))

    def add(self, texts):
        self.index = np.concatenate([self.index, self._vectors(texts)])

    def search(self, texts):
        return np.argmax(self._vectors(texts) @ self.index.T, axis=1)


service = Service(Model(jnp.eye(3)))


class Handler(BaseHTTPRequestHandler):
    def do_PUT(self):
        service.add(self.read())

    def do_GET(self):
        self.wfile.write(service.search(self.read()).tobytes())

    def read(self):
        return np.frombuffer(self.rfile.read(12), np.float32)[None]
