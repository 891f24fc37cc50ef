"""Every rule's metadata is complete, and its examples do under real JAX what the rule says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from jitlint.absint import events as event_module
from jitlint.absint.events import (
    ArrayStore,
    AttributeAssignment,
    Branch,
    CapturedMutation,
    DefaultMutation,
    Effect,
    Event,
    FrozenHostValue,
    HostIO,
    JitInLoop,
    NonArrayArgument,
    OuterAssignment,
    Print,
)
from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Severity
from jitlint.rules.base import Rule
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.registry import all_rules, find, rules_for
from tools.examples import module_name
from tools.labels.checking import verify_many

METAS = all_rules()
EVENTS = [
    value
    for value in vars(event_module).values()
    if isinstance(value, type) and issubclass(value, Event) and value not in (Event, Effect)
]


def test_codes_and_names_are_unique_and_sorted() -> None:
    codes = [meta.code for meta in METAS]
    assert codes == sorted(set(codes))
    assert len({meta.name for meta in METAS}) == len(METAS)


def test_the_family_is_complete() -> None:
    family = [meta.code for meta in METAS if meta.code.startswith("JIT1")]
    assert family == [f"JIT{number}" for number in range(101, 114)]
    family = [meta.code for meta in METAS if meta.code.startswith("JIT2")]
    assert family == [f"JIT{number}" for number in range(201, 216)]
    family = [meta.code for meta in METAS if meta.code.startswith("JIT3")]
    assert family == [f"JIT{number}" for number in range(301, 315)]
    family = [meta.code for meta in METAS if meta.code.startswith("JIT4")]
    assert family == ["JIT401", "JIT402", "JIT403", "JIT404"]
    assert {"JIT900", "JIT901", "JIT903"} <= {meta.code for meta in METAS}


@pytest.mark.parametrize("meta", METAS, ids=lambda meta: meta.code)
def test_metadata(meta: RuleMeta) -> None:
    assert re.fullmatch(r"JIT\d{3}", meta.code)
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", meta.name)
    assert meta.summary and not meta.summary.endswith(".") and "\n" not in meta.summary
    assert meta.why.endswith(".") and meta.help.endswith(".")
    assert find(meta.code) is meta and find(meta.code.lower()) is meta
    assert find(meta.name) is meta
    if meta.code.startswith("JIT9"):
        assert meta.bad is None and meta.good is None and meta.hazard is None
    else:
        assert meta.bad is not None and meta.good is not None
        # Advice may have nothing to warn of: the cache serves what JIT302 reports.
        assert meta.hazard is not None or meta.severity is Severity.INFO
        if meta.hazard is not None:
            assert (meta.hazard.kind == "raises") == bool(meta.hazard.exceptions)
        for example in (meta.bad, meta.good):
            ast.parse(example.code)
            ast.parse(example.call, mode="eval")
            assert example.code.endswith("\n")


def test_what_is_no_rule_is_not_found() -> None:
    assert find("JIT999") is None
    assert find("no-such-rule") is None


@pytest.mark.parametrize("event_type", EVENTS, ids=lambda event_type: event_type.__name__)
def test_every_event_has_one_rule(event_type: type[Event]) -> None:
    event = _event(event_type, certain=True)
    assert [rule for rule in rules_for(event_type) if rule.check(event) is not None] == [
        _rule(event_type)
    ]


def test_the_same_function_in_a_loop_is_an_info() -> None:
    event = JitInLoop(
        place=None,
        function="f",
        chain=None,
        operand="step",
        callee="jax.jit",
        made=None,
        caller="fit",
    )
    findings = [rule.check(event) for rule in rules_for(JitInLoop)]
    (finding,) = [finding for finding in findings if finding is not None]
    assert (finding.meta.code, finding.severity) == ("JIT302", Severity.INFO)
    assert finding.message == (
        "`jax.jit` wraps `step` again in every turn of the loop that calls `fit`: the cache serves "
        "it, by a slow look-up. Apply `jax.jit` once before the loop."
    )


def _judged(event_type: type[Event], **words: object) -> tuple[Severity, str] | None:
    """Severity and hazard that the rule gives an event with these details, None for no report."""
    event = replace(_event(event_type, certain=True), **words)
    finding = _rule(event_type).check(event)
    if finding is None:
        return None
    assert finding.hazard is not None
    return finding.severity, finding.hazard.kind


STORES = (CapturedMutation, OuterAssignment, AttributeAssignment)


@pytest.mark.parametrize("event_type", [*STORES, DefaultMutation])
def test_what_is_stored_outside_leaks_or_is_stored_once(event_type: type[Event]) -> None:
    leak = Severity.ERROR if event_type in STORES else Severity.WARNING
    for cached in (True, False):
        assert _judged(event_type, traced=True, cached=cached) == (leak, "leaks")
    assert _judged(event_type, traced=False, cached=True) == (Severity.WARNING, "runs-once")
    assert _judged(event_type, traced=False, cached=False) is None


def test_prints_are_warnings_where_they_show_a_tracer() -> None:
    assert _judged(Print, traced=True) == (Severity.WARNING, "runs-once")
    assert _judged(Print, traced=False) == (Severity.INFO, "runs-once")
    assert _judged(Print, traced=True, cached=False) is None


@pytest.mark.parametrize(
    "kind", ["file", "stream", "tracker", "progress bar", "logging", "warning"]
)
def test_host_io_is_a_warning_but_a_static_log_an_info(kind: str) -> None:
    static = Severity.INFO if kind in ("logging", "warning") else Severity.WARNING
    assert _judged(HostIO, kind=kind, traced=True) == (Severity.WARNING, "runs-once")
    assert _judged(HostIO, kind=kind, traced=False) == (static, "runs-once")
    assert _judged(HostIO, kind=kind, traced=True, cached=False) is None


@pytest.mark.parametrize("kind", ["clock", "identifier", "environment", "input"])
def test_a_frozen_draw_is_an_error_and_the_rest_warnings(kind: str) -> None:
    assert _judged(FrozenHostValue, kind="random") == (Severity.ERROR, "stale")
    assert _judged(FrozenHostValue, kind=kind) == (Severity.WARNING, "stale")


@pytest.mark.parametrize(
    ("target", "operator", "remedy"),
    [
        ("x[i, 0]", "=", "Use `x = x.at[i, 0].set(...)`."),
        ("x[i]", "*=", "Use `x = x.at[i].multiply(...)`."),
        ("x[i]", "//=", "Use `x = x.at[i].apply(...)`."),
        (f"x[{'i' * 40}]", "=", "Use `x = x.at[...].set(...)`."),
    ],
)
def test_the_cure_of_an_assignment_names_the_update(
    target: str, operator: str, remedy: str
) -> None:
    event = _event(ArrayStore, certain=True, operand="x")
    finding = _rule(ArrayStore).check(replace(event, statement=target, operator=operator))
    assert finding is not None
    assert finding.message == (
        "`x` is a JAX array here: JAX arrays are immutable, and assigning to an element raises. "
        f"{remedy}"
    )


def _event(event_type: type[Event], *, certain: bool, operand: str = "loss < best") -> Event:
    words: dict[str, object] = {
        "construct": "if",
        "operator": "and",
        "callee": "np.sin",
        "parameter": "shape",
        "escape": "size=",
        "builtin": "min",
        "test": "isinstance(n, int)",
        "python_type": "int",
        "handler": "Exception",
        "inside": "if",
        "made": "lambda",
        "caller": "evaluate",
        "calls": 2,
        "option": "static_argnames",
        "wrong": "axes",
        "target": "energy",
        "transform": "jax.vmap",
        "field": "mask",
        "parameters": ("field", "axis"),
        "cls": "Trainer",
        "traced": True,
        "cached": True,
        "action": ".append()",
        "scope": "global",
        "statement": "loss < best[0]",
        "method": "set",
        "repeats": "call",
        "again": "call",
        "given": "float32",
        "shape": (1000, 300),
        "turns": 100,
        "copies": 100,
        "shown_by": "annotation",
        # What only an annotation says is a warning.
        "declared": event_type is not NonArrayArgument,
        "how": "grows",
        "subject": "tokens",
        "optional": False,
        # The kinds of two events differ.
        "kind": "file" if event_type is HostIO else "random",
    }
    own = {name: words[name] for name in event_type.__struct_fields__ if name in words}
    return event_type(place=None, function="f", chain=None, operand=operand, certain=certain, **own)


def _rule(event_type: type[Event]) -> Rule:
    # Two rules may share a class of events; the words above are for the first.
    return rules_for(event_type)[0]


@pytest.mark.parametrize("event_type", EVENTS, ids=lambda event_type: event_type.__name__)
def test_a_message_is_two_sentences_with_the_operand(event_type: type[Event]) -> None:
    finding = _rule(event_type).check(_event(event_type, certain=True))
    assert finding is not None
    assert "`loss < best`" in finding.message
    assert finding.message.endswith(".")
    assert re.search(r"\. [A-Z]", finding.message)
    assert finding.severity is finding.meta.severity


def test_what_only_an_annotation_says_is_a_warning() -> None:
    event = replace(_event(NonArrayArgument, certain=True), declared=True)
    finding = _rule(NonArrayArgument).check(event)
    assert finding is not None
    assert (finding.severity, finding.meta.severity) == (Severity.WARNING, Severity.ERROR)


@pytest.mark.parametrize("event_type", EVENTS, ids=lambda event_type: event_type.__name__)
def test_what_is_not_certain_is_a_warning(event_type: type[Event]) -> None:
    finding = _rule(event_type).check(_event(event_type, certain=False))
    assert finding is not None
    # Advice is advice.
    assert finding.severity is min(Severity.WARNING, finding.meta.severity)


def test_the_message_of_an_if() -> None:
    finding = _rule(Branch).check(_event(Branch, certain=True))
    assert finding is not None
    assert finding.message == (
        "`loss < best` is traced here: `if` needs a Python bool. Use `jnp.where` or `jax.lax.cond`."
    )


def test_a_long_operand_is_cut() -> None:
    finding = _rule(Branch).check(_event(Branch, certain=True, operand="x + " * 40 + "x"))
    assert finding is not None
    assert "…` is traced" in finding.message and len(finding.message) < 200


def test_the_hazard_names_what_this_place_raises() -> None:
    event = Branch(
        place=None,
        function="f",
        chain=None,
        operand="x",
        construct="if",
        exceptions=("ValueError",),
    )
    finding = _rule(Branch).check(event)
    assert finding is not None and finding.hazard is not None
    assert finding.hazard.exceptions == ("ValueError",)


@pytest.mark.parametrize(
    "meta", [meta for meta in METAS if meta.code.startswith("JIT2")], ids=lambda meta: meta.code
)
def test_the_bad_example_of_an_effect_is_reported(meta: RuleMeta, tmp_path: Path) -> None:
    reports = []
    for example in (meta.bad, meta.good):
        assert example is not None
        module = tmp_path / "example.py"
        module.write_text(example.code, encoding="utf-8")
        found = analyze(root=tmp_path, targets=[module], options=AnalysisOptions()).diagnostics
        reports.append({(one.code, one.severity) for one in found})
    assert reports == [{(meta.code, meta.severity)}, set()]


def _write_examples(folder: Path) -> list[tuple[Path, Path]]:
    pairs = []
    for meta in METAS:
        if meta.bad is None:
            continue
        for kind, example in (("bad", meta.bad), ("good", meta.good)):
            assert isinstance(example, Example)
            program = folder / meta.code / f"{module_name(meta, kind)}.py"
            program.parent.mkdir(exist_ok=True)
            program.write_text(example.code, encoding="utf-8")
            cases = folder / f"{module_name(meta, kind)}_cases.py"
            cases.write_text(
                "from tools.examples import prove\n\n"
                f"INNOCENT = [lambda: prove({meta.code!r}, {kind!r})]\n",
                encoding="utf-8",
            )
            pairs.append((program, cases))
    return pairs


@pytest.mark.jax
def test_examples_under_jax(tmp_path: Path) -> None:
    pairs = _write_examples(tmp_path)
    results = verify_many(pairs)
    assert len(results) == len(pairs)
    bad = [f"{Path(r.program).stem}: {r.message or r.why}" for r in results if not r.ok]
    assert not bad, "\n".join(bad)
