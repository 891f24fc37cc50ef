"""A project whose modules hang together in every way we know, and random edits to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

#: for each module its pieces, and for each piece the ways in which it may be written
MODULES: dict[str, list[list[str]]] = {
    "pkg/__init__.py": [
        ["", "from pkg.core import scale\n", "from pkg.core import *\n"],
        ["", "from pkg import helpers\n"],
    ],
    "pkg/core.py": [
        ["import jax\nimport jax.numpy as jnp\n"],
        ["LIMIT = 3\n", "LIMIT = jnp.ones(3)\n", "LIMIT = 'three'\n", ""],
        ["SIZES = [1, 2]\n", "SIZES = []\n", "SIZES = {'a': 1}\n"],
        [
            "def scale(x, flag=False):\n    if flag:\n        return x * 2\n    return x\n",
            "def scale(x, flag=False):\n    return x.shape[0]\n",
            "def scale(x, flag=False):\n    if x > LIMIT:\n        return x\n    return -x\n",
            "@jax.jit\ndef scale(x, flag=False):\n    if flag:\n        return x\n    return -x\n",
            "def scale(x, *, flag):\n    print(x)\n    return x\n",
            "",
        ],
        [
            "def twice(f, x):\n    return f(f(x))\n",
            "def twice(f, x):\n    return jax.vmap(f)(x)\n",
            "def twice(f, x):\n    return jax.lax.cond(x > 0, f, f, x)\n",
            "def twice(f, x):\n    return f(float(x))\n",
        ],
        [
            "def width(x):\n    return x.shape[0]\n",
            "def width(x):\n    return x.sum()\n",
            "def width(x):\n    return len(SIZES)\n",
            "def width(x):\n    return None\n",
        ],
    ],
    "pkg/ops.py": [
        ["import jax\n", "import jax\nimport functools\n"],
        ["from pkg.core import scale, width\n", "from pkg import core\nscale = core.scale\nwidth = core.width\n"],
        ["from pkg.core import twice\n", "from .core import twice\n", "from pkg.helpers import twice\n"],
        [
            "def combine(x, n):\n    for _ in range(n):\n        x = scale(x)\n    return x\n",
            "def combine(x, n):\n    return scale(x, flag=n)\n",
            "def combine(x, n):\n    while width(x) > n:\n        x = x - 1\n    return x\n",
            "@jax.jit\ndef combine(x, n):\n    return [x][n]\n",
        ],
        [
            "def pick(x):\n    if width(x) > 2:\n        return x\n    return twice(pick_one, x)\n",
            "def pick(x):\n    return int(width(x))\n",
            "pick = jax.jit(lambda x: width(x))\n",
        ],
        [
            "def pick_one(x):\n    return x\n",
            "def pick_one(x):\n    return float(x)\n",
            "def pick_one(x):\n    if x:\n        return x\n    return 0\n",
        ],
    ],
    "pkg/train.py": [
        ["import functools\nimport jax\nimport jax.numpy as jnp\nfrom pkg.ops import combine, pick\n"],
        ["from pkg import vjp\n", ""],
        [
            "@jax.jit\n",
            "@functools.partial(jax.jit, static_argnums=1)\n",
            "@functools.partial(jax.jit, static_argnames=('n',))\n",
            "@functools.partial(jax.jit, static_argnames=('m',))\n",
            "",
        ],
        [
            "def step(x, n):\n    return combine(x, n)\n",
            "def step(x, n):\n    return pick(combine(x, n))\n",
            "def step(x, n):\n    if n:\n        return x\n    return -x\n",
        ],
        ["step = jax.jit(step)\n", "fast = jax.jit(step, static_argnums=(1,))\n", "", "step(jnp.ones(3), 2)\n"],
        ["def use(x):\n    return vjp.rooted(x)\n", "use = jax.grad(lambda x: vjp.rooted(x))\n", ""],
    ],
    "pkg/vjp.py": [
        ["import jax\n"],
        ["@jax.custom_vjp\ndef rooted(x):\n    return x\n", "@jax.custom_jvp\ndef rooted(x):\n    return x\n"],
        ["def forward(x):\n    return rooted(x), x\n", "def forward(x):\n    if x > 0:\n        return x, x\n    return x, x\n"],
        ["def backward(kept, g):\n    return (g,)\n", "def backward(kept, g):\n    return (float(kept) * g,)\n"],
    ],
    "pkg/rules.py": [
        ["from pkg import vjp\n", "from pkg.vjp import rooted, forward, backward\n"],
        ["vjp.rooted.defvjp(vjp.forward, vjp.backward)\n", "rooted.defvjp(forward, backward)\n", ""],
    ],
    "pkg/registry.py": [
        ["HANDLERS = {}\n", "HANDLERS = []\n"],
        [
            "def register(f):\n    HANDLERS[f.__name__] = f\n    return f\n",
            "def register(f):\n    HANDLERS.append(f)\n    return f\n",
            "def register(f):\n    return f\n",
        ],
    ],
    "pkg/plugins.py": [
        ["from pkg.registry import register\n", "from pkg import registry\nregister = registry.register\n"],
        ["@register\n", "", "@register  # one\n"],
        ["def first(x):\n    return x\n", "def first(x):\n    if x > 0:\n        return x\n    return 0\n"],
        ["@register\ndef second(x):\n    return float(x)\n", "def second(x):\n    return float(x)\n", ""],
    ],
    "pkg/dispatch.py": [
        ["import jax\nfrom pkg.registry import HANDLERS\n"],
        [
            "def run(x):\n    for handler in HANDLERS.values():\n        x = jax.jit(handler)(x)\n    return x\n",
            "@jax.jit\ndef run(x):\n    for handler in HANDLERS:\n        x = handler(x)\n    return x\n",
            "@jax.jit\ndef run(x):\n    for handler in HANDLERS.values():\n        x = handler(x)\n    return x\n",
        ],
    ],
    "pkg/factory.py": [
        ["import functools\nimport jax\n"],
        [
            "def make(k):\n    return jax.jit(lambda x: x * k)\n",
            "@functools.lru_cache\ndef make(k):\n    return jax.jit(lambda x: x * k)\n",
            "def make(k):\n    f = jax.jit(functools.partial(jax.numpy.add, k))\n    return f(k)\n",
            "def make(k):\n    def inner(x):\n        return x if x > k else k\n    f = jax.jit(inner)\n    return f(k)\n",
        ],
        ["def once(x):\n    return make(1)\n", "def once(x):\n    return make(x)(x)\n"],
    ],
    "pkg/loops.py": [
        ["from pkg.factory import make, once\n"],
        [
            "def main(xs):\n    for x in xs:\n        make(2)\n",
            "def main(xs):\n    for x in xs:\n        make(2)(x)\n",
            "def main(xs):\n    return make(2)(xs)\n",
            "def main(xs):\n    while xs:\n        once(xs)\n",
        ],
        ["def again():\n    return make(3)\n", "def again(x):\n    return once(x), make(3)(x)\n", ""],
    ],
    "pkg/base.py": [
        ["import jax\nimport flax.linen as nn\n"],
        [
            "class Base:\n    size = 3\n    def shift(self, x):\n        return x + self.size\n",
            "class Base:\n    size = 3\n    def shift(self, x):\n        if x > self.size:\n            return x\n        return self.offset\n",
            "class Base(nn.Module):\n    size: int = 3\n    def shift(self, x):\n        return x if self.size else -x\n",
            "@jax.tree_util.register_pytree_node_class\nclass Base:\n    def shift(self, x):\n        return x\n"
            "    def tree_flatten(self):\n        return (), None\n",
        ],
    ],
    "pkg/model.py": [
        ["import jax\nfrom pkg.base import Base\n"],
        [
            "class Model(Base):\n",
            "class Model(Base):\n    offset = 1\n",
            "class Model:\n",
        ],
        [
            "    @jax.jit\n    def call(self, x):\n        return self.shift(x)\n",
            "    def call(self, x):\n        self.last = x\n        return self.shift(x)\n",
            "    def __call__(self, x):\n        return self.shift(x) if self.size > x else x\n",
        ],
        ["def apply(x):\n    return Model().call(x)\n", "apply = jax.jit(lambda x: Model()(x))\n", ""],
    ],
    "pkg/fit.py": [
        ["import jax\nfrom pkg.model import Model, apply\nfrom pkg.train import step\nimport pkg\n"],
        [
            "@jax.jit\ndef fit(x):\n    return apply(x) + step(x, 3)\n",
            "def fit(x):\n    m = Model()\n    return jax.jit(m.call)(x), step(x, 'no')\n",
            "@jax.jit\ndef fit(x):\n    return pkg.scale(x)\n",
            "def fit(x):\n    return pkg.helpers.twice(step, x)\n",
        ],
    ],
    "pkg/helpers.py": [
        ["from pkg.core import *\n", "from pkg.core import twice, scale\n", "def twice(f, x):\n    return f(x)\n"],
        ["def helper(x):\n    return x\n", "def helper(x):\n    return x.item()\n"],
    ],
    "script.py": [
        ["import jax\nimport local\nfrom pkg.helpers import helper\n"],
        ["print(jax.jit(local.go)(1.0))\n", "go = jax.jit(local.go)\ngo(2)\n", ""],
        ["run = jax.jit(helper)\n", "for _ in range(3):\n    jax.jit(lambda x: helper(x))(1)\n", "helper(2)\n"],
    ],
    "local.py": [
        ["def go(x):\n    return x\n", "def go(x):\n    while x > 0:\n        x = x - 1\n    return x\n"],
    ],
    "notes.md": [
        ["# Notes\n"],
        [
            "```python\nimport jax\n@jax.jit\ndef f(x):\n    return float(x)\n```\n",
            "```python\nimport jax\nfrom pkg.ops import combine\njax.jit(combine)(1, 2)\n```\n",
            "",
        ],
    ],
}  # fmt: skip

_RENAMED = {"pkg/core.py": "pkg/heart.py", "local.py": "lib/local.py", "pkg/vjp.py": "pkg/vjps.py"}


@dataclass
class ChangingProject:
    """The project at one moment.

    Args:
      chance: decides what is edited next.
    """

    chance: random.Random
    choices: dict[str, list[int]] = field(default_factory=dict)
    padding: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    renamed: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.choices = {name: [0] * len(pieces) for name, pieces in MODULES.items()}

    def files(self) -> Iterator[tuple[str, str]]:
        """The names and texts of all files."""
        for name, pieces in MODULES.items():
            if name in self.gone:
                continue
            texts = [piece[at] for piece, at in zip(pieces, self.choices[name], strict=True)]
            text = "\n".join(texts)
            if name in self.broken:
                text += "\ndef (:\n"
            shown = _RENAMED[name] if name in self.renamed else name
            yield shown, self.padding.get(name, "") + text

    def edit(self) -> str:
        """Change something; what was changed."""
        name = self.chance.choice(list(MODULES))
        roll = self.chance.random()
        if roll > 0.7 and self.gone | self.broken:
            # Most of the time the project should be whole.
            healed = self.chance.choice(sorted(self.gone | self.broken))
            self.gone.discard(healed)
            self.broken.discard(healed)
            return f"{healed} is whole again"
        if roll < 0.06:
            self.gone ^= {name}
            return f"{name} there or not"
        if roll < 0.12:
            name = self.chance.choice(list(_RENAMED))
            self.renamed ^= {name}
            return f"{name} renamed or back"
        if roll < 0.15 and name.endswith(".py"):
            self.broken ^= {name}
            return f"{name} broken or not"
        if roll < 0.25:
            self.padding[name] = self.chance.choice(["", "\n", "\n\n\n"])
            return f"{name} moved down"
        piece = self.chance.randrange(len(MODULES[name]))
        self.choices[name][piece] = self.chance.randrange(len(MODULES[name][piece]))
        return f"{name} piece {piece} is {self.choices[name][piece]}"
