"""What the analysis knows of parameters, and that it gets to those who make values of it."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest

from jitlint.absint.objects import sketching
from jitlint.analysis.engine import Analysis, analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.sketches import ARRAY, CONSTANT, ITERATOR, MAPPING, NAMED, OBJECT, SCALAR, Sketch
from jitlint.verify.plan import Plan
from jitlint.verify.session import verify

PROGRAM = """
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Config:
    width: int = 4
    kind: str = "plain"


@jax.jit
def step(params, batch):
    return params["w"] * batch


def fit(params, config, activation, turns, batch):
    for _ in range(turns):
        params = {"w": activation(step(params, batch))}
    return params


def train(path, data, mode, count):
    config = Config(kind="deep")
    first = next(data)
    params = {"w": jnp.zeros((4, 2)), "b": 1.0}
    if mode == "resume":
        params = step(params, first)
    for _ in range(count):
        params = fit(params, config, jnp.tanh, 3, jnp.load(path))
    return params


def label(batch):
    return step(batch, None)["name"]
"""


def analysed(folder: Path, text: str) -> Analysis:
    (folder / "pyproject.toml").touch()
    (folder / "program.py").write_text(textwrap.dedent(text))
    return analyze(root=folder, targets=[folder], options=AnalysisOptions(listing=True))


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], tuple[Sketch, ...]]:
    found = analysed(tmp_path_factory.mktemp("project").resolve(), PROGRAM)
    return {
        (function.qualname, name): some
        for function in found.sketched
        for name, some in function.parameters.items()
    }


def test_what_callers_pass_is_known_with_its_keys(known: Any) -> None:
    first = known["fit", "params"][0]
    assert first == Sketch(
        MAPPING,
        parts=(
            ("w", Sketch(ARRAY, "float", shape=(4, 2))),
            ("b", Sketch(CONSTANT, value=1.0)),
        ),
    )


def test_objects_functions_and_constants_are_known_by_name(known: Any) -> None:
    config = known["fit", "config"][0]
    assert (config.kind, config.name) == (OBJECT, "program.Config")
    assert dict(config.parts)["kind"] == Sketch(CONSTANT, value="deep")
    assert known["fit", "activation"] == (Sketch(NAMED, "jax.numpy.tanh"),)
    assert known["fit", "turns"] == (Sketch(CONSTANT, value=3),)


def test_uses_tell_of_what_nobody_passes(known: Any) -> None:
    assert known["train", "data"] == (Sketch(ITERATOR),)
    assert known["train", "mode"] == (Sketch(CONSTANT, value="resume"),)
    assert known["train", "count"] == (Sketch(SCALAR, "int"),)


def test_a_parameter_of_which_nothing_is_known_is_left_out(known: Any) -> None:
    assert ("train", "path") not in known
    assert ("label", "batch") not in known


def test_nothing_is_recorded_where_nobody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    asked: list[object] = []
    monkeypatch.setattr(sketching, "written_uses", lambda *args: asked.append(args))
    analyze(root=tmp_path, targets=[tmp_path], options=AnalysisOptions(listing=False))
    assert not asked


def test_a_sketch_survives_its_way_to_the_child(known: Any) -> None:
    for some in known.values():
        for sketch in some:
            assert Sketch.from_json(json.loads(json.dumps(sketch.to_json()))) == sketch


# No made-up value has these keys, this option and this class; the caller cannot run, and what it
# passes is known in part.
FOR_CALLERS = """
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Rates:
    table: dict


def score(options, rates, batch):
    if options["method"] not in ("mahalanobis", "haversine") or rates.table["decay"] != 0.125:
        raise ValueError(options["method"])

    @jax.jit
    def run(x):
        if x.sum() > 0:  # here
            return x
        return -x

    return run(batch)


def main(path):
    batch = jnp.load(path)
    rates = Rates({"decay": 0.125, "first": batch[0]})
    return score({"method": "haversine", "last": batch[-1]}, rates, batch)
"""


@pytest.mark.jax
def test_what_callers_pass_is_tried(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    found = analysed(folder, FOR_CALLERS)
    verdicts = {}
    for handed in (found.sketched, ()):
        plan = Plan(
            root=folder,
            files=[folder / "program.py"],
            reports=found.diagnostics,
            everything=found.diagnostics,
            platforms=["cpu"],
            seconds=20,
            traced=found.traced,
            sketched=handed,
        )
        (report,) = verify(plan).reports
        verdicts[bool(handed)] = report["verdicts"][0]
    assert verdicts[True]["verdict"] == "confirmed"
    assert "the analysis" in verdicts[True]["inputs"]
    assert verdicts[False]["verdict"] != "confirmed"
