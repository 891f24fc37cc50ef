"""Inputs that grow: from what functions ask of placeholders, and from how their calls fail."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from types import FrameType
from typing import Any, NamedTuple

import pytest

from jitlint.verify.driving.calling.inputs import Maker
from jitlint.verify.driving.calling.spelling import Speller
from jitlint.verify.driving.growing.growth import Growth, Make, Trial, traced_call
from jitlint.verify.driving.growing.kind_repairs import of_initialised
from jitlint.verify.driving.growing.making import Making
from jitlint.verify.driving.growing.placeholders import Facts, Placeholder
from jitlint.verify.driving.growing.shapes import Sizes
from jitlint.verify.driving.growing.specs import Inputs, Kind, Spec
from jitlint.verify.driving.growing.trouble import Trouble, trouble


class Tree(NamedTuple):
    """Something that holds others of its kind."""

    left: Tree
    right: Tree


class Wrapper:
    """Something that is made of another of its kind."""

    def __init__(self, inner: Wrapper, scale: float) -> None:
        self.inner = inner
        self.scale = scale


HEADER = """\
from typing import NamedTuple

import jax
import jax.numpy as jnp

WIDTH = 6


class Belief(NamedTuple):
    mean: jax.Array
    cov: jax.Array


class Solver:
    def __init__(self, tolerance=0.1):
        self.tolerance = tolerance
        self.matrix = None

    def residual(self, x, b):
        return b - self.matrix @ x


"""

PROGRAMS = {
    "a dict behind grad": """
def loss(params, x, y):
    return jnp.mean((jnp.tanh(x @ params["w"] + params["b"]) @ params["out"] - y) ** 2)

def f(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return {name: params[name] - 0.1 * grads[name] for name in params}
""",
    "pairs in a list": """
def f(layers, x):
    for weight, bias in layers[:-1]:
        x = jnp.tanh(x @ weight + bias)
    weight, bias = layers[-1]
    return x @ weight + bias
""",
    "sorted keys": """
def f(params, x):
    for name in sorted(params):
        x = x @ params[name]["w"] + params[name]["b"]
    return x
""",
    "heads of attention": """
def f(params, x):
    q = jnp.einsum("btd,de->bte", x, params["q"])
    k = jnp.einsum("btd,de->bte", x, params["k"])
    q = q.reshape(q.shape[0], q.shape[1], 4, q.shape[2] // 4)
    k = k.reshape(k.shape[0], k.shape[1], 4, k.shape[2] // 4)
    return jnp.einsum("bqhd,bkhd->bhqk", q, k)
""",
    "gates of a cell": """
def f(params, carry, tokens):
    def cell(carry, token):
        h, c = carry
        gates = params["embed"][token] @ params["wx"] + h @ params["wh"]
        i, o = jnp.split(gates, 2, axis=-1)
        c = jax.nn.sigmoid(i) * c
        return (jax.nn.sigmoid(o) * c, c), h
    return jax.lax.scan(cell, carry, tokens)
""",
    "a guard on shapes": """
def f(p, q, points):
    if p.shape != (4,) or q.shape != (4,):
        raise ValueError("a quaternion has four numbers")
    if points.ndim != 2 or points.shape[0] % WIDTH:
        raise ValueError("whole rows")
    return p * q, points.sum(axis=1)
""",
    "an image": """
def f(kernel, images):
    x = images.reshape(-1, 8, 8, 1)
    dims = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=dims)
""",
    "a named tuple": """
def f(belief, transition, noise):
    mean = transition @ belief.mean
    return Belief(mean, transition @ belief.cov @ transition.T + noise)
""",
    "numbers of nodes": """
def f(nodes, senders, receivers):
    messages = nodes[senders] - nodes[receivers]
    return jax.ops.segment_sum(messages, receivers, num_segments=nodes.shape[0])
""",
    "keys under vmap": """
def f(p, keys, batch):
    def one(key, x):
        return x @ p["w"] + jax.random.normal(key, (WIDTH,))
    return jax.vmap(one)(keys, batch)
""",
    "a static number": """
def f(u, steps, rate):
    return [u * rate for _ in range(steps)], jnp.zeros(steps)
""",
    "a time beside a place": """
WEIGHTS = jnp.ones((4, 3))

def f(times, places):
    def one(time, place):
        return WEIGHTS @ jnp.append(place, time)
    return jax.vmap(one)(times, places)
""",
    "codes of letters": """
TABLE = jnp.ones((9, 4))

def f(params, codes):
    return jax.vmap(lambda code: TABLE[code] @ params["out"])(codes[:-1])
""",
    "a matrix to be inverted": """
def f(gram, y):
    lower = jnp.linalg.cholesky(gram)
    return jax.scipy.linalg.cho_solve((lower, True), y)
""",
}


def _grow(name: str, text: str, owner: str | None = None) -> tuple[list[str], int]:
    """The inputs that a program was called with, until a call came through, and their number."""
    filename = f"<{name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"__name__": "grown"}
    exec(compile(text, filename, "exec"), namespace)
    trees = {filename: ast.parse(text)}
    cls = namespace[owner] if owner is not None else None
    function = namespace["f"] if cls is None else cls().residual
    tries: list[str] = []
    done = []

    def call(make: Make) -> Trial:
        failed: list[Trouble] = []
        ran: list[int] = []

        def follow(frame: FrameType, event: str, _: object) -> Any:
            if frame.f_code.co_filename != filename:
                return None
            ran.append(frame.f_lineno)
            return follow

        before = sys.gettrace()
        sys.settrace(follow)
        try:
            values = make()
            tries.append(repr({k: v for k, v in values.items() if k != "self"}))
            bound = function if cls is None else values.pop("self").residual
            traced_call(bound, [values[n] for n in inspect.signature(function).parameters], {})
        except Exception as error:
            failed.append(trouble(error, trees))
        finally:
            sys.settrace(before)
        return Trial(len({*ran}), len(ran), False, failed[0] if failed else None)

    def prove(make: Make) -> Trial:
        trial = call(make)
        done.append(trial.trouble is None)
        return trial

    maker = Maker(namespace, {}, {})
    for _ in Growth(function, {}, maker, cls).grow(call, prove):
        if any(done):
            break
    assert any(done), tries[-3:]
    return tries, len(tries)


@pytest.mark.jax
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_call_comes_through(name: str) -> None:
    _, count = _grow(name, HEADER + PROGRAMS[name])
    assert count <= 80


@pytest.mark.jax
def test_what_a_constructor_leaves_open_is_filled_in() -> None:
    _grow("owner", HEADER, "Solver")


@pytest.mark.jax
def test_the_same_inputs_are_tried_again() -> None:
    text = HEADER + PROGRAMS["gates of a cell"]
    one, _ = _grow("first", text)
    other, _ = _grow("first", text)
    plain = [[t for t in tries if "Placeholder" not in t] for tries in (one, other)]
    assert plain[0] == plain[1]


@pytest.mark.jax
def test_what_has_come_through_is_proved_before_time_is_up() -> None:
    def f(x: Any) -> Any:
        return x

    growth = Growth(f, {}, Maker({}, {}, {}))
    proved: list[dict[str, Any]] = []

    def prove(make: Make) -> Trial:
        proved.append(make())
        return Trial(1, 1, True, None)

    # The time is up after the first try.
    next(growth.grow(lambda make: Trial(1, 1, True, None), prove))
    assert [[*values] for values in proved] == [["x"]]


@pytest.mark.jax
def test_a_tree_has_an_end() -> None:
    making = Making(Maker({"Tree": Tree}, {}, {}))
    inputs = Inputs({"tree": Spec(Kind.RECORD, value=Tree)})
    for _ in range(12):
        making.complete(inputs)
    assert len([*inputs.walk()]) == 1 + 2 + 4


@pytest.mark.jax
def test_an_object_that_takes_its_own_kind_has_an_end() -> None:
    maker = Maker({"Wrapper": Wrapper}, {}, {})
    made = next(maker.instances(Wrapper, 0, 0), None)
    depth = 0
    while isinstance(made, Wrapper):
        made, depth = made.inner, depth + 1
    assert 0 < depth < 10


@pytest.mark.jax
@pytest.mark.parametrize("called", ["a placeholder", "an array"])
def test_what_is_called_is_compared_with_functions_only(called: str) -> None:
    import numpy as np

    text = "def f(scene, push, x):\n    return push(x)[0]\n"
    namespace: dict[str, Any] = {}
    exec(compile(text, "<scene>", "exec"), namespace)
    facts = Facts()
    # A placeholder has every attribute, ``apply`` among them, and compares as the array it holds.
    scene = Placeholder((("parameter", "scene"),), np.ones(3), facts, 1)
    push: Any = np.ones(4)
    if called == "a placeholder":
        push = Placeholder((("parameter", "push"),), push, facts, 1)
    with pytest.raises(TypeError) as raised:
        namespace["f"](scene, push, None)
    shown = trouble(raised.value, {"<scene>": ast.parse(text)})
    assert shown.statement is not None
    assert [*of_initialised(Inputs({}), shown)] == []


@pytest.mark.jax
def test_choices_that_come_round_are_not_tried_again() -> None:
    class Point(NamedTuple):
        x: Any
        time: float

    making = Making(Maker({"Point": Point}, {}, {}))
    inputs = Inputs({"p": Spec(Kind.RECORD, value=Point)})
    making.complete(inputs)
    known = {inputs.described()}
    for choice in range(1, 4):
        inputs.roots["p"].choice = choice
        making.complete(inputs)
        known.add(inputs.described())
    assert len(known) == 1
    assert inputs.roots["p"].children["time"].value == 0.5


def test_free_sizes_are_all_different_until_they_have_to_be_the_same() -> None:
    sizes = Sizes()
    dims = [sizes.new() for _ in range(60)]
    assert len({sizes.size(n) for n in dims}) == 60
    assert sizes.unify(dims[0], dims[1]) and sizes.unify(dims[1], dims[2])
    assert not sizes.unify(dims[2], dims[0])
    assert len({sizes.size(n) for n in dims[:3]}) == 1
    assert sizes.fix(dims[2], 12)
    assert [sizes.size(n) for n in dims[:3]] == [12, 12, 12]
    assert not sizes.fix(dims[0], 13)
    assert sizes.with_size(12) is None and sizes.all_with_size(12) == [dims[0]]
    assert sizes.unify(dims[3], dims[0]) and sizes.size(dims[3]) == 12
    assert {sizes.size(n, plain=True) for n in dims[4:]} == {3}


def test_a_copy_changes_by_itself() -> None:
    sizes = Sizes()
    one, other = sizes.new(), sizes.new()
    copied = sizes.copy()
    assert copied.unify(one, other) and copied.fix(one, 4)
    assert sizes.size(one) != sizes.size(other)


@pytest.mark.jax
def test_what_was_donated_is_not_spelled() -> None:
    import jax.numpy as jnp

    array = jnp.ones(3)
    assert Speller().spell(array) is not None
    array.delete()
    assert Speller().spell(array) is None
