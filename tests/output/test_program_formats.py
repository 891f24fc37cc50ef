"""The formats that other programs read."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jitlint.diagnostics import Diagnostic, Location, Severity, TraceStep
from jitlint.output.formats import FORMATS, render
from jitlint.output.report import Report
from jitlint.rules.registry import all_rules
from jitlint.verify.driving.verdicts import Verified
from jitlint.verify.verdict_text import judgements

SARIF = json.loads((Path(__file__).parent / "schemas" / "sarif-schema-2.1.0.json").read_text())


def report(**fields: Any) -> Diagnostic:
    values: dict[str, Any] = {
        "code": "JIT101",
        "name": "branch-on-traced-value",
        "severity": Severity.ERROR,
        "message": "`x > 0` is traced here",
        "help": "use jnp.where",
        "filename": "/project/src/a.py",
        "location": Location(6, 8),
        "end_location": Location(6, 13),
        "function": "C.f",
        "trace": (
            TraceStep("/project/src/b.py", 3, 2, "traced by jax.jit"),
            TraceStep("/elsewhere/c d.py", 4, 16, "`x` is a parameter"),
        ),
        "hazard": None,
        "noqa_row": 6,
        "fingerprint": "0123",
    }
    return Diagnostic(**{**values, **fields})


def rendered(name: str, *reports: Diagnostic, **fields: Any) -> str:
    made = Report(
        diagnostics=reports,
        lines_of=lambda _: None,
        folder=Path("/project/src"),
        root=Path("/project"),
        **fields,
    )
    return "".join(f"{line}\n" for line in render(name, made))


def sarif(*reports: Diagnostic, **fields: Any) -> dict[str, Any]:
    log = json.loads(rendered("sarif", *reports, **fields))
    jsonschema.validate(log, SARIF, jsonschema.Draft7Validator)
    (run,) = log["runs"]
    return run


NASTY = [
    report(),
    report(filename="/project/a b%#é.py", message="line\nbreak: 50%, \x1b ]]> <&\"'"),
    report(filename="/other/x.py", trace=(), help=None, function=None, fingerprint=""),
    report(filename="/project/\udcff.py", code="JIT900", severity=Severity.WARNING),
    report(filename="/project/n.ipynb", cell=3, severity=Severity.INFO),
    report(location=Location(6, 8), end_location=Location(9, 2)),
]


def test_sarif_of_nothing():
    run = sarif()
    assert run["results"] == []
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_sarif_describes_every_rule():
    rules = sarif()["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in all_rules()]
    for rule in rules:
        assert rule["help"]["text"] and rule["help"]["markdown"].startswith(f"# {rule['id']}")


def test_sarif_result():
    run = sarif(report())
    (result,) = run["results"]
    assert result["level"] == "error"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "JIT101"
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "src/a.py", "uriBaseId": "PROJECTROOT"},
        "region": {"startLine": 6, "startColumn": 8, "endLine": 6, "endColumn": 13},
    }
    assert run["originalUriBaseIds"] == {"PROJECTROOT": {"uri": "file:///project/"}}
    first, second = result["relatedLocations"]
    assert first["message"]["text"] == "traced by jax.jit"
    assert first["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 2}
    assert second["physicalLocation"]["artifactLocation"] == {"uri": "file:///elsewhere/c%20d.py"}
    assert result["partialFingerprints"] == {"jitlintFingerprint/v1": "0123"}


def test_sarif_with_what_names_and_messages_can_hold():
    results = sarif(*NASTY, failures=2)["results"]
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results]
    assert uris[1] == "a%20b%25%23%C3%A9.py"
    assert uris[2] == "file:///other/x.py"
    assert uris[3] == "%FF.py"
    assert results[4]["level"] == "note"
    assert results[4]["properties"]["cell"] == 3
    assert "partialFingerprints" not in results[2]
    assert len(results) == len(NASTY)


def test_sarif_tells_of_files_that_could_not_be_checked():
    (invocation,) = sarif(failures=1)["invocations"]
    assert not invocation["executionSuccessful"]
    (note,) = invocation["toolExecutionNotifications"]
    assert note["message"]["text"] == "1 file could not be checked"


def test_github():
    (line, *_) = rendered("github", report(help=None)).splitlines()
    assert line == (
        "::error title=jitlint JIT101 (branch-on-traced-value),file=src/a.py,line=6,endLine=6,"
        "col=8,endColumn=12::`x > 0` is traced here"
    )


def test_github_escapes_what_would_end_a_command():
    lines = rendered("github", *NASTY).splitlines()
    assert len(lines) == len(NASTY)
    assert "file=a b%25#é.py," in lines[1]
    assert "::line%0Abreak: 50%25, \\x1b ]]>" in lines[1]
    assert lines[3].startswith("::warning ")
    assert lines[4].startswith("::notice ")
    assert "line=" not in lines[4] and "::cell 3, row 6, column 8: " in lines[4]
    assert "line=6,endLine=9::" in lines[5]


def test_gitlab():
    items = json.loads(rendered("gitlab", *NASTY))
    assert items[0]["location"] == {
        "path": "src/a.py",
        "lines": {"begin": 6, "end": 6},
        "positions": {"begin": {"line": 6, "column": 8}, "end": {"line": 6, "column": 13}},
    }
    assert items[0]["severity"] == "critical"
    assert {item["severity"] for item in items} == {"critical", "minor", "info"}
    assert json.loads(rendered("gitlab")) == []


def test_gitlab_fingerprints_differ_within_a_run_and_stay_between_runs():
    same = [report(), report(), report(filename="/project/b.py"), report(code="JIT102")]
    prints = [item["fingerprint"] for item in json.loads(rendered("gitlab", *same))]
    assert len(set(prints)) == len(same)
    assert json.loads(rendered("gitlab", *same[:1]))[0]["fingerprint"] == prints[0]


def test_junit():
    suites = ElementTree.fromstring(rendered("junit", *NASTY, report(filename="/project/a b.py")))
    assert suites.get("tests") == suites.get("failures") == str(len(NASTY) + 1)
    first = suites[0]
    assert first.get("name") == "src/a.py"
    (failure,) = first[0]
    assert failure.get("type") == "error"
    assert failure.text.startswith("src/a.py:6:8: JIT101 `x > 0` is traced here\nuse jnp.where")
    assert "]]> <&\"'" in suites[1][0][0].text
    assert suites[4][0].get("name") == "JIT101 branch-on-traced-value at cell 3:6:8"


def test_junit_of_nothing_has_a_test_that_passed():
    suites = ElementTree.fromstring(rendered("junit"))
    assert suites.get("failures") == "0"
    assert [len(case) for case in suites.iter("testcase")] == [0]


VERIFIED = Verified(
    reports=[
        {
            "verdicts": [
                {"backend": "cpu", "verdict": word, "evidence": {"summary": f"because {word}"}}
            ]
        }
        for word in ("confirmed", "refuted", "not-reached")
    ]
)


def judged(name: str) -> str:
    three = [report(location=Location(row, 1)) for row in (1, 2, 3)]
    return rendered(name, *three, judgements=judgements(VERIFIED))


def test_verdicts_in_sarif():
    log = json.loads(judged("sarif"))
    jsonschema.validate(log, SARIF, jsonschema.Draft7Validator)
    (run,) = log["runs"]
    verdicts = [result["properties"]["verdicts"] for result in run["results"]]
    assert [[v["verdict"] for v in each] for each in verdicts] == [
        ["confirmed"],
        ["refuted"],
        ["not-reached"],
    ]


def test_verdicts_on_github():
    first, second, third = judged("github").splitlines()
    assert first.startswith("::error ")
    assert "%0Acpu confirmed: because confirmed%0A" in first
    # Refuted is what nobody needs to act on.
    assert second.startswith("::notice ")
    assert third.startswith("::error ")
    assert "cpu not reached: because not-reached" in third


def test_verdicts_in_junit():
    (suite,) = ElementTree.fromstring(judged("junit"))
    assert suite.attrib.items() >= {"tests": "3", "failures": "1", "skipped": "1"}.items()
    failed, passed, skipped = suite
    assert "cpu confirmed: because confirmed" in str(failed[0].text)
    assert not len(passed)
    assert skipped[0].tag == "skipped"
    assert skipped[0].attrib["message"] == "cpu not reached: because not-reached"


def test_json_lines():
    lines = rendered("json-lines", *NASTY).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(rendered("json", *NASTY))
    assert rendered("json-lines") == ""


def test_azure():
    lines = rendered("azure", *NASTY).splitlines()
    assert len(lines) == len(NASTY)
    assert lines[0] == (
        "##vso[task.logissue type=error;sourcepath=src/a.py;linenumber=6;columnnumber=8;"
        "code=JIT101;]JIT101 `x > 0` is traced here"
    )
    assert "sourcepath=a b%AZP25#é.py;" in lines[1]
    assert "%AZP25, \\x1b ]]>" in lines[1]
    assert "type=warning" in lines[3]
    assert "linenumber" not in lines[4]
    assert "]cell 3, row 6: JIT101 " in lines[4]
    odd = rendered("azure", report(filename="/project/a;b].py"))
    assert "sourcepath=a%3Bb%5D.py;" in odd


def test_pylint():
    lines = rendered("pylint", *NASTY).splitlines()
    assert lines[0] == "src/a.py:6: [JIT101(branch-on-traced-value), C.f] `x > 0` is traced here"
    assert "n.ipynb:6: [JIT101(branch-on-traced-value), C.f] cell 3: " in lines[4]
    pattern = re.compile(r"(.+):(\d+): \[(\w+\d+)\(([\w-]+)\), (.*?)\] (.*)")
    assert all(map(pattern.fullmatch, lines))


def test_rdjson():
    found = json.loads(rendered("rdjson", *NASTY))
    assert found["source"] == {"name": "jitlint"}
    assert found["diagnostics"][0] == {
        "message": "`x > 0` is traced here",
        "location": {
            "path": "src/a.py",
            "range": {"start": {"line": 6, "column": 8}, "end": {"line": 6, "column": 13}},
        },
        "severity": "ERROR",
        "code": {"value": "JIT101"},
    }
    assert {item["severity"] for item in found["diagnostics"]} == {"ERROR", "WARNING", "INFO"}
    notebook = found["diagnostics"][4]
    assert notebook["location"] == {"path": "n.ipynb"}
    assert notebook["message"].startswith("cell 3, row 6: ")


def test_rdjson_counts_columns_in_bytes():
    made = Report(
        diagnostics=[report(location=Location(1, 4), end_location=Location(1, 6))],
        lines_of=lambda _: ["é𐐀 ab"],
        folder=Path("/project"),
    )
    (item,) = json.loads("\n".join(render("rdjson", made)))["diagnostics"]
    assert item["location"]["range"] == {
        "start": {"line": 1, "column": 8},
        "end": {"line": 1, "column": 10},
    }


@pytest.mark.parametrize("name", sorted({*FORMATS} - {"full", "concise", "grouped"}))
def test_no_format_for_programs_closes_with_a_summary(name):
    assert "Found" not in rendered(name, *NASTY)
    assert "passed!" not in rendered(name)
