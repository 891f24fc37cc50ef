"""The language server, driven over stdio as an editor drives it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jitlint.rules.addresses import page_address
from tests.integrations.lsp_client import Client, at, span

pytest.importorskip("pygls")

HOSTILE = """\
import jax


@jax.jit
def f(x):
    if x > 0:
        return x
    return -x
"""
CLEAN = HOSTILE.replace("if x > 0", "if x.ndim")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    return tmp_path


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """One for all tests that want nothing special of it: it takes longer to start than to lint."""
    with Client([]) as client:
        yield client


@pytest.fixture
def client(server: Any, project: Path) -> Iterator[Any]:
    server.enter(project)
    yield server
    server.leave(project)


@pytest.fixture
def own_client(project: Path) -> Iterator[Any]:
    """The client of a server that knows nothing of other tests, and may end."""
    with Client([project]) as client:
        yield client


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def codes(diagnostics: list[dict[str, Any]]) -> list[str]:
    return [item["code"] for item in diagnostics]


def silencing(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The actions that silence a report: all but the fix."""
    return [action for action in actions if not action["title"].startswith("Select with")]


def apply(text: str, edits: list[dict[str, Any]], units: str = "utf-16-le") -> str:
    """Apply edits as a client does, counting columns by encoding each line."""
    width = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[units]
    lines = [line.encode(units) for line in text.split("\n")]
    for edit in sorted(edits, key=lambda e: list(e["range"]["start"].values()), reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        new = edit["newText"].encode(units)
        lines[start["line"]] = (
            line[: start["character"] * width] + new + line[end["character"] * width :]
        )
    return "\n".join(line.decode(units) for line in lines)


# -- a document's life --------------------------------------------------------------------------


def test_open_change_save_close(own_client: Any, project: Path) -> None:
    path = write(project / "a.py", CLEAN)
    uri = own_client.open(path)
    assert own_client.diagnostics(uri, 1) == []
    version = own_client.change(uri, HOSTILE)
    (found,) = own_client.diagnostics(uri, version)
    assert found["code"] == "JIT101"
    assert found["source"] == "jitlint"
    assert found["severity"] == 1
    assert found["range"] == span((5, 7), (5, 12))
    assert found["message"].startswith("`x > 0` is traced here")
    assert found["codeDescription"]["href"].startswith(
        page_address("JIT101") or "https://docs.jax.dev/"
    )
    chain = found["relatedInformation"]
    assert [step["message"] for step in chain][0] == "traced by jax.jit"
    assert all(step["location"]["uri"] == uri for step in chain)
    assert chain[0]["location"]["range"]["start"] == at(3, 1)
    write(path, HOSTILE)
    own_client.save(uri)
    own_client.close(uri)
    assert own_client.diagnostics(uri) == []
    assert own_client.shut_down() == 0


def test_edits_in_place(client: Any, project: Path) -> None:
    uri = client.open(write(project / "a.py", HOSTILE))
    assert codes(client.diagnostics(uri)) == ["JIT101"]
    version = client.change(
        uri,
        {"range": span((5, 7), (5, 12)), "text": "x.ndim"},
        {"range": span((0, 0), (0, 0)), "text": "# first\n"},
    )
    assert client.diagnostics(uri, version) == []
    version = client.change(uri, {"range": span((6, 7), (6, 13)), "text": "x < 1"})
    (found,) = client.diagnostics(uri, version)
    assert found["range"] == span((6, 7), (6, 12))


def test_line_ends_and_form_feeds(client: Any, project: Path) -> None:
    text = "\f\n# \u2028 \x0b \x1c\r\n" + HOSTILE.replace("\n", "\r\n")
    uri = client.open(project / "new.py", text)
    (found,) = client.diagnostics(uri)
    assert found["range"] == span((7, 7), (7, 12))
    # An edit behind them lands where the client means it.
    version = client.change(uri, {"range": span((7, 7), (7, 12)), "text": "x.ndim"})
    assert client.diagnostics(uri, version) == []


def test_a_file_that_was_never_saved(client: Any, project: Path) -> None:
    uri = client.open(project / "deep" / "new.py", HOSTILE)
    assert codes(client.diagnostics(uri)) == ["JIT101"]


def test_a_buffer_without_a_file(client: Any, project: Path) -> None:
    uri = client.open(project, HOSTILE, uri="untitled:Untitled-1")
    (found,) = client.diagnostics(uri)
    assert {step["location"]["uri"] for step in found["relatedInformation"]} == {uri}


def test_open_files_see_each_others_unsaved_text(client: Any, project: Path) -> None:
    helper = write(project / "helper.py", "def positive(x):\n    return x.ndim\n")
    user = write(
        project / "user.py",
        "import jax\nfrom helper import positive\n\n\n"
        "@jax.jit\ndef f(x):\n    return positive(x)\n",
    )
    user_uri, helper_uri = client.open(user), client.open(helper)
    assert client.diagnostics(helper_uri) == []
    client.change(helper_uri, "def positive(x):\n    return bool(x > 0)\n")
    (found,) = client.diagnostics(helper_uri, 2)
    assert found["code"] == "JIT105"
    assert user_uri in {step["location"]["uri"] for step in found["relatedInformation"]}
    client.change(user_uri, user.read_text().replace("@jax.jit\n", ""))
    assert client.diagnostics(helper_uri) == []
    # Closed without saving, the file on disk counts again.
    client.close(user_uri)
    assert codes(client.diagnostics(helper_uri)) == ["JIT105"]


def test_half_typed_code(client: Any, project: Path) -> None:
    uri = client.open(project / "a.py", HOSTILE)
    client.diagnostics(uri)
    version = client.change(uri, HOSTILE + "def g(\n")
    assert codes(client.diagnostics(uri, version)) == ["JIT101", "JIT901"]
    version = client.change(uri, "def g(\n" + HOSTILE)
    wrong, found = client.diagnostics(uri, version)
    assert wrong["code"] == "JIT901"
    assert found["range"] == span((6, 7), (6, 12))
    # Nothing can be made of it: what was said before goes on to hold.
    version = client.change(uri, HOSTILE + "x = '\ud800'\0")
    assert sorted(codes(client.diagnostics(uri, version))) == ["JIT101", "JIT901"]
    version = client.change(uri, HOSTILE)
    assert codes(client.diagnostics(uri, version)) == ["JIT101"]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
def test_syntax_newer_than_this_python_is_not_half_typed(client: Any, project: Path) -> None:
    uri = client.open(project / "a.py", f"type Vector = list[float]\n{HOSTILE}")
    assert codes(client.diagnostics(uri)) == ["JIT101"]


def test_half_typed_code_as_others_see_it(client: Any, project: Path) -> None:
    helper = "def positive(x):\n    return bool(x > 0)\n\n\ndef other(x):\n    return x\n"
    user = "import jax\nfrom helper import positive\n\njax.jit(positive)\n"
    helper_uri = client.open(project / "helper.py", helper)
    client.diagnostics(helper_uri)
    client.open(project / "user.py", user)
    assert codes(client.diagnostics(helper_uri)) == ["JIT105"]
    version = client.change(helper_uri, helper.replace("return x\n", "return x.\n"))
    assert codes(client.diagnostics(helper_uri, version)) == ["JIT105", "JIT901"]
    # The first letter of an import does not take the rest away.
    user_uri = (project / "user.py").as_uri()
    client.change(user_uri, user.replace("import positive\n", "import positive, \n"))
    assert codes(client.diagnostics(user_uri, 2)) == ["JIT901"]
    assert client.quiet(0.3) == []


def test_comments_are_not_called_needless_while_the_file_is_broken(
    client: Any, project: Path
) -> None:
    text = HOSTILE.replace("if x > 0:", "if x > 0:  # noqa: JIT101")
    uri = client.open(project / "a.py", text)
    assert client.diagnostics(uri) == []
    version = client.change(uri, text.replace("def f(x):", "def f(x"))
    assert codes(client.diagnostics(uri, version)) == ["JIT901"]


def test_installed_packages_and_excluded_files_are_not_linted(client: Any, project: Path) -> None:
    installed = write(project / "env" / "lib" / "site-packages" / "a.py", HOSTILE)
    built = write(project / "build" / "a.py", HOSTILE)
    for path in (installed, built):
        assert client.diagnostics(client.open(path)) == []


def test_what_was_said_moves_with_the_rows_while_the_file_is_broken(
    client: Any, project: Path
) -> None:
    text = HOSTILE + "\n\n@jax.jit\ndef g(y):\n    return int(y)\n"
    uri = client.open(project / "a.py", text)
    assert codes(client.diagnostics(uri)) == ["JIT101", "JIT105"]
    # The header of the second function is being typed anew: nobody knows what it takes.
    broken = "\n" + text.replace("def g(y):", "def g(y")
    found = client.diagnostics(uri, client.change(uri, broken))
    assert sorted(codes(found)) == ["JIT101", "JIT105", "JIT901"]
    rows = {item["code"]: item["range"]["start"]["line"] for item in found}
    assert (rows["JIT101"], rows["JIT105"]) == (6, 13)
    # Once it is Python again, only what is found counts.
    version = client.change(uri, text.replace("def g(y):", "def g():"))
    assert codes(client.diagnostics(uri, version)) == ["JIT101"]


def test_a_run_is_announced(project: Path) -> None:
    functions = "".join(
        f"\n\n@jax.jit\ndef g{n}(x, y):\n    z = x + y\n    return [z * n for n in range({n})]\n"
        for n in range(40)
    )
    path = write(project / "a.py", HOSTILE + functions)
    impatient = "tests.integrations.impatient_server"
    with Client([project], progress=True, module=impatient) as client:
        uri = client.open(path)
        assert codes(client.diagnostics(uri))
        client.quiet(1.0)
        said = [m["params"] for m in client.notifications if m["method"] == "$/progress"]
    runs: dict[str, list[dict[str, Any]]] = {}
    for word in said:
        runs.setdefault(word["token"], []).append(word["value"])
    assert runs
    for words in runs.values():
        kinds = [word["kind"] for word in words]
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        assert set(kinds[1:-1]) <= {"report"}
    assert any("/1 files" in word["value"].get("message", "") for word in said)
    with Client([project], module=impatient) as client:
        client.diagnostics(client.open(path))
        assert not [m for m in client.notifications if m["method"] == "$/progress"]


# -- fast typing --------------------------------------------------------------------------------


def test_two_hundred_fast_edits_leave_the_last_text(client: Any, project: Path) -> None:
    uri = client.open(project / "a.py", HOSTILE)
    client.diagnostics(uri)
    for number in range(199):
        client.change(uri, HOSTILE + f"\n\n@jax.jit\ndef g{number}(y):\n    return int(y)\n")
    version = client.change(uri, CLEAN)
    assert client.diagnostics(uri, version) == []
    published = [
        message["params"]["version"]
        for message in client.notifications
        if message["method"] == "textDocument/publishDiagnostics"
    ]
    assert published == sorted(published)
    assert len(published) < 100
    assert client.quiet(0.5) == []


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
def test_seven_hundred_edits_leave_no_memory_behind(own_client: Any, project: Path) -> None:
    def resident() -> int:
        lines = Path(f"/proc/{own_client.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    uri = own_client.open(project / "a.py", HOSTILE)
    settled = 0
    for number in range(700):
        # New names with each edit, and every other one is half typed.
        added = (
            f"\n\n@jax.jit\ndef g{number}(y):\n    return int(y + {number})\n",
            f"\n\ndef g{number}(y, z={number}\n",
        )[number % 2]
        version = own_client.change(uri, HOSTILE + added)
        if number % 5 == 4:
            # What is saved is linted at once.
            own_client.save(uri)
            own_client.diagnostics(uri, version)
        own_client.notifications.clear()
        if number == 199:
            settled = resident()
    assert resident() - settled < 4 * 1024


# -- encodings ----------------------------------------------------------------------------------

WIDE = HOSTILE.replace("if x > 0:", "if ('é', '漢', '😀', x > 0)[3]:  # 😀")


@pytest.mark.parametrize(
    ("offered", "chosen", "codec"),
    [
        (None, "utf-16", "utf-16-le"),
        (["utf-8", "utf-16"], "utf-8", "utf-8"),
        (["utf-32", "utf-16"], "utf-32", "utf-32-le"),
        (["utf-7", "utf-16"], "utf-16", "utf-16-le"),
    ],
)
def test_columns_in_every_encoding(
    project: Path, offered: list[str] | None, chosen: str, codec: str
) -> None:
    width = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}[codec]

    def units(text: str) -> int:
        return len(text.encode(codec)) // width

    with Client([project], encodings=offered) as client:
        assert client.capabilities["positionEncoding"] == chosen
        uri = client.open(project / "a.py", WIDE)
        (found,) = client.diagnostics(uri)
        line = WIDE.split("\n")[5]
        marked = "('é', '漢', '😀', x > 0)[3]"
        begin = line.index(marked)
        assert found["range"] == span(
            (5, units(line[:begin])), (5, units(line[: begin + len(marked)]))
        )
        # An edit behind wide characters, as the client counts.
        where = line.index("> 0")
        version = client.change(
            uri,
            {
                "range": span((5, units(line[:where])), (5, units(line[: where + 3]))),
                "text": "is None",
            },
        )
        assert client.diagnostics(uri, version) == []
        version = client.change(uri, WIDE)
        client.diagnostics(uri, version)
        actions = client.request(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": uri},
                "range": found["range"],
                "context": {"diagnostics": [found]},
            },
        )
        action, _ = silencing(actions)
        changed = apply(WIDE, action["edit"]["changes"][uri], codec)
        assert "# 😀  # noqa: JIT101" in changed
        version = client.change(uri, changed)
        assert client.diagnostics(uri, version) == []


# -- hover and actions --------------------------------------------------------------------------


def test_hover_shows_the_page(client: Any, project: Path) -> None:
    uri = client.open(project / "a.py", HOSTILE)
    client.diagnostics(uri)
    hover = client.request(
        "textDocument/hover", {"textDocument": {"uri": uri}, "position": at(5, 9)}
    )
    assert hover["contents"]["kind"] == "markdown"
    assert hover["contents"]["value"].startswith("# JIT101 branch-on-traced-value")
    assert "## Use instead" in hover["contents"]["value"]
    assert hover["range"] == span((5, 7), (5, 12))
    elsewhere = {"textDocument": {"uri": uri}, "position": at(1, 0)}
    assert client.request("textDocument/hover", elsewhere) is None


def test_fixing_everything_waits_for_what_was_just_typed(client: Any, project: Path) -> None:
    uri = client.open(project / "a.py", CLEAN)
    client.diagnostics(uri)
    text = "import jax\n\n\n@jax.jit\ndef f(x):\n    print('turn {}', jax.numpy.sum(x))\n"
    for number in range(3):
        client.change(uri, text.format(number))
    asked = {
        "textDocument": {"uri": uri},
        "range": span((0, 0), (0, 0)),
        "context": {"diagnostics": [], "only": ["source.fixAll.jitlint"]},
    }
    (action,) = client.request("textDocument/codeAction", asked)
    texts = "".join(edit["newText"] for edit in action["edit"]["changes"][uri])
    assert "jax.debug.print" in texts and "'turn 2 " in texts


def _fixed(client: Any, uri: str, found: dict[str, Any] | None = None) -> dict[str, Any]:
    """The edits of a quick fix; of all safe fixes where no report is named."""
    asked = {
        "textDocument": {"uri": uri},
        "range": span((0, 0), (0, 0)) if found is None else found["range"],
        "context": {"diagnostics": [], "only": ["source.fixAll.jitlint"]}
        if found is None
        else {"diagnostics": [found]},
    }
    action = client.request("textDocument/codeAction", asked)[0]
    changes: dict[str, Any] = action["edit"]["changes"]
    return changes


def test_fixes_leave_the_right_text(client: Any, project: Path) -> None:
    text = (
        "import jax\n\n\n@jax.jit\ndef f(x):\n    x = x * 2\n"
        "    '😀'; x[0] = 1; y = '漢', float(x.sum())\n    return x, y\n"
    )
    uri = client.open(project / "a.py", text)
    store, conversion = client.diagnostics(uri)
    assert codes([store, conversion]) == ["JIT205", "JIT105"]
    set_ = text.replace("x[0] = 1", "x = x.at[0].set(1)")
    assert apply(text, _fixed(client, uri, store)[uri]) == set_
    kept = text.replace("float(x.sum())", "x.sum().astype(float)")
    assert apply(text, _fixed(client, uri, conversion)[uri]) == kept
    assert apply(text, _fixed(client, uri)[uri]) == set_
    version = client.change(uri, set_)
    assert codes(client.diagnostics(uri, version)) == ["JIT105"]


@pytest.mark.parametrize(
    "body",
    [
        "    if x > 0:\n        return x\n",
        "    if x > 0:  # noqa: E501\n        return x\n",
        "    if (\n        x\n        > 0\n    ):\n        return x\n",
        "    if (x > 0) == len('''\n    '''):\n        return x\n",
        "    s = str(int(x)) + '''\n\n'''\n    return s\n",
    ],
)
def test_a_comment_silences(client: Any, project: Path, body: str) -> None:
    text = f"import jax\n\n\n@jax.jit\ndef f(x):\n{body}    return x\n"
    uri = client.open(project / "a.py", text)
    found = client.diagnostics(uri)
    assert found
    while found:
        actions = client.request(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": uri},
                "range": found[0]["range"],
                "context": {"diagnostics": found, "only": ["quickfix"]},
            },
        )
        actions = silencing(actions)
        assert actions[0]["diagnostics"] == found[:1]
        text = apply(text, actions[0]["edit"]["changes"][uri])
        version = client.change(uri, text)
        left = client.diagnostics(uri, version)
        assert len(left) < len(found)
        found = left


def test_no_action_where_none_can_be(client: Any, project: Path) -> None:
    uri = client.open(project / "a.py", "import jax\nx = (\n")
    (found,) = client.diagnostics(uri)
    params: dict[str, Any] = {
        "textDocument": {"uri": uri},
        "range": found["range"],
        "context": {"diagnostics": [found]},
    }
    assert client.request("textDocument/codeAction", params) == []
    client.change(uri, HOSTILE)
    client.diagnostics(uri, 2)
    params["range"] = span((5, 8), (5, 8))
    params["context"]["only"] = ["refactor"]
    assert client.request("textDocument/codeAction", params) == []
    params["context"]["only"] = ["quickfix"]
    assert len(client.request("textDocument/codeAction", params)) == 3


@pytest.mark.parametrize("head", ["", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n"])
def test_a_comment_silences_a_rule_in_the_file(client: Any, project: Path, head: str) -> None:
    text = f"{head}{HOSTILE}\n\n@jax.jit\ndef g(x):\n    return int(x) if x > 0 else 1\n"
    uri = client.open(project / "a.py", text)
    found = client.diagnostics(uri)
    assert codes(found) == ["JIT101", "JIT105", "JIT101"]
    params = {
        "textDocument": {"uri": uri},
        "range": found[0]["range"],
        "context": {"diagnostics": found, "only": ["quickfix"]},
    }
    whole = client.request("textDocument/codeAction", params)[-1]
    assert whole["title"] == "Silence JIT101 in this file"
    changed = apply(text, whole["edit"]["changes"][uri])
    assert changed == f"{head}# flake8: noqa: JIT101\n{text[len(head) :]}"
    version = client.change(uri, changed)
    assert codes(client.diagnostics(uri, version)) == ["JIT105"]


def test_examples_in_docstrings(client: Any, project: Path) -> None:
    write(project / "pyproject.toml", "[tool.jitlint]\ndocstring-examples = true\n")
    text = '''import jax\n\n\ndef f():\n    """
    😀

    >>> jax.jit(lambda é: int(é))(1)
    """\n'''
    uri = client.open(project / "a.py", text)
    (found,) = client.diagnostics(uri)
    assert found["range"] == span((7, 26), (7, 32))
    here = {"textDocument": {"uri": uri}, "range": found["range"]}
    action, _ = client.request(
        "textDocument/codeAction", {**here, "context": {"diagnostics": [found]}}
    )
    # Behind the docstring it would say nothing of the example.
    changed = apply(text, action["edit"]["changes"][uri])
    assert "(1)  # noqa: JIT105\n" in changed
    version = client.change(uri, changed)
    assert client.diagnostics(uri, version) == []
    # Half-typed code leaves them where they are.
    version = client.change(uri, text + "x = (\n")
    assert codes(client.diagnostics(uri, version)) == ["JIT105", "JIT901"]


# -- configuration ------------------------------------------------------------------------------


def test_the_projects_configuration_and_its_changes(client: Any, project: Path) -> None:
    uri = client.open(write(project / "a.py", HOSTILE))
    assert codes(client.diagnostics(uri)) == ["JIT101"]
    changed = {"changes": [{"uri": (project / "pyproject.toml").as_uri(), "type": 2}]}
    write(project / "pyproject.toml", '[tool.jitlint]\nignore = ["JIT101"]\n')
    client.notify("workspace/didChangeWatchedFiles", changed)
    assert client.diagnostics(uri) == []
    write(project / "pyproject.toml", "[tool.jitlint]\nignored = []\n")
    client.notify("workspace/didChangeWatchedFiles", changed)
    assert "unknown key 'ignored'" in client.message()
    write(project / "pyproject.toml", "")
    write(project / "setup.cfg", "[jitlint]\nmin-severity = error\n")
    client.save(uri)
    assert codes(client.diagnostics(uri)) == ["JIT101"]


def test_files_changed_outside_of_the_editor(project: Path) -> None:
    helper = write(project / "helper.py", "import jax\nfrom user import f\n\njax.jit(f)\n")
    user = write(project / "user.py", "def f(x):\n    return bool(x > 0)\n")
    with Client([project], watches=True) as client:
        uri = client.open(user)
        assert codes(client.diagnostics(uri)) == ["JIT105"]
        assert client.registered == ["workspace/didChangeWatchedFiles"]
        write(helper, "")
        event = {"changes": [{"uri": helper.as_uri(), "type": 2}]}
        client.notify("workspace/didChangeWatchedFiles", event)
        assert client.diagnostics(uri) == []


def test_settings_that_are_pushed(project: Path) -> None:
    with Client([project], initialization={"ignore": ["JIT1"]}) as client:
        uri = client.open(project / "a.py", HOSTILE)
        assert client.diagnostics(uri) == []
        settings = {"jitlint": {"minSeverity": "error"}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert codes(client.diagnostics(uri)) == ["JIT101"]
        settings = {"jitlint": {"select": ["JIT999"], "lintOnChange": True}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        assert "unknown rule code 'JIT999'" in client.message()


def test_settings_of_others_are_no_message_to_the_user(project: Path) -> None:
    settings = {"ignore": ["JIT101"], "trace": {"server": "off"}}
    with Client([project], initialization=settings) as client:
        uri = client.open(project / "a.py", HOSTILE)
        assert client.diagnostics(uri) == []
        assert not any(m["method"] == "window/showMessage" for m in client.notifications)


def test_settings_that_are_pulled(project: Path) -> None:
    with Client([project], pulls=True, settings={"": {"ignore": ["JIT101"]}}) as client:
        uri = client.open(project / "a.py", HOSTILE)
        # The first run may come before the client has answered.
        while client.diagnostics(uri):
            pass
        client.settings = {"": {"lintOnChange": False}}
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        assert codes(client.diagnostics(uri)) == ["JIT101"]
        client.change(uri, CLEAN)
        assert client.quiet(0.5) == []
        client.save(uri)
        assert client.diagnostics(uri, 2) == []


def test_a_client_that_asks_is_told_nothing_unasked(project: Path) -> None:
    helper = write(project / "helper.py", "def half(x):\n    return float(x) / 2\n")
    with Client([project], asks=True) as client:
        assert client.capabilities["diagnosticProvider"]["interFileDependencies"]
        uri = client.open(project / "a.py", HOSTILE)
        assert codes(client.ask(uri)) == ["JIT101"]
        client.change(uri, CLEAN)
        assert client.ask(uri) == []
        other = client.open(helper)
        assert client.ask(other) == []
        # What a change does elsewhere, the client hears of by being told to ask again.
        before = client.refreshed
        client.change(uri, "import jax\nfrom helper import half\n\njax.jit(half)(1.0)\n")
        assert client.ask(uri) == []
        client.quiet(0.5)
        assert client.refreshed == before + 1
        assert codes(client.ask(other)) == ["JIT105"]
        client.close(other)
        client.quiet(0.5)
        assert client.refreshed == before + 1
        sent = {item["method"] for item in client.notifications}
        assert "textDocument/publishDiagnostics" not in sent


def test_all_files_of_the_workspace(project: Path) -> None:
    write(project / "clean.py", CLEAN)
    shut = write(project / "shut.py", HOSTILE)
    called = write(project / "called.py", "def positive(x):\n    return bool(x > 0)\n")
    write(project / "build" / "left_out.py", HOSTILE)
    caller = write(project / "caller.py", "")
    options = {"workspaceDiagnostics": True}
    with Client([project], asks=True, initialization=options) as client:
        assert client.capabilities["diagnosticProvider"]["workspaceDiagnostics"]
        known: dict[str, str] = {}
        (found,) = client.ask_all(known).values()
        assert (found["uri"], found["kind"]) == (shut.as_uri(), "full")
        assert (codes(found["items"]), found.get("version")) == (["JIT101"], None)
        # What is typed counts in files that are not open.
        text = "import jax\nfrom called import positive\n\njax.jit(positive)\n"
        uri = client.open(caller, text + "jax.jit(lambda x: int(x))\n")
        found = client.ask_all(known)
        assert found.keys() == {shut.as_uri(), called.as_uri(), uri}
        assert found[shut.as_uri()]["kind"] == "unchanged"
        assert codes(found[called.as_uri()]["items"]) == ["JIT105"]
        assert (codes(found[uri]["items"]), found[uri]["version"]) == (["JIT105"], 1)
        # The same reports on another version of the text.
        version = client.change(uri, text + "jax.jit(lambda x: int(x))\n# The end.\n")
        found = client.ask_all(known)
        assert {item["kind"] for item in found.values()} == {"unchanged"}
        assert found[uri]["version"] == version
        client.change(uri, "")
        found = client.ask_all(known)
        assert found[called.as_uri()]["items"] == found[uri]["items"] == []
        assert known.keys() == {shut.as_uri()}
        write(shut, CLEAN)
        event = {"changes": [{"uri": shut.as_uri(), "type": 2}]}
        client.notify("workspace/didChangeWatchedFiles", event)
        assert client.ask_all(known)[shut.as_uri()]["items"] == []
        assert client.ask_all(known) == {}


def test_nobody_hears_of_all_files_unasked(project: Path) -> None:
    write(project / "a.py", HOSTILE)
    with Client([project], asks=True) as client:
        assert not client.capabilities["diagnosticProvider"]["workspaceDiagnostics"]
    with Client([project], asks=True, pulls=True) as client:
        assert client.ask_all() == {}
        client.settings = {"": {"workspaceDiagnostics": True}}
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        while not (found := client.ask_all()):
            pass
        assert found.keys() == {(project / "a.py").as_uri()}


def test_a_folder_within_another_has_its_own_settings_for_all_files(project: Path) -> None:
    inner = project / "inner"
    text = HOSTILE + "\n\n@jax.jit\ndef g(x):\n    return int(x)\n"
    uris = [write(folder / "a.py", text).as_uri() for folder in (project, inner)]
    settings = {
        "": {"workspaceDiagnostics": True},
        inner.as_uri(): {"workspaceDiagnostics": True, "ignore": ["JIT101"]},
    }
    with Client([project, inner], asks=True, pulls=True, settings=settings) as client:
        while len(found := client.ask_all()) < 2 or len(found[uris[1]]["items"]) > 1:
            pass
        assert [codes(found[uri]["items"]) for uri in uris] == [["JIT101", "JIT105"], ["JIT105"]]


@pytest.mark.parametrize("wanted", [True, False])
def test_what_was_said_of_a_document_is_taken_back_once_it_is_closed(
    project: Path, wanted: bool
) -> None:
    """Clients that may ask for all files leave it to that answer."""
    path = write(project / "a.py", CLEAN)
    settings = {"": {"workspaceDiagnostics": wanted}}
    with Client([project], asks=True, pulls=True, settings=settings) as client:
        uri = client.open(path, HOSTILE)
        assert codes(client.ask(uri)) == ["JIT101"]
        assert uri not in client.ask_all() or wanted
        client.close(uri)
        assert client.ask_all()[uri]["items"] == []
        client.open(path, HOSTILE)
        assert codes(client.ask(uri)) == ["JIT101"]
        assert client.ask_all().get(uri, {"items": True})["items"]


def test_an_edit_is_answered_before_all_files_are(project: Path) -> None:
    for number in range(20):
        write(project / f"m{number}.py", HOSTILE)
    edited = project / "m7.py"
    with Client([project], asks=True, initialization={"workspaceDiagnostics": True}) as client:
        uri = client.open(edited)
        assert codes(client.ask(uri)) == ["JIT101"]
        nothing_known: dict[str, Any] = {"previousResultIds": []}
        client.raw({"id": "all", "method": "workspace/diagnostic", "params": nothing_known})
        client.change(uri, CLEAN)
        document = {"textDocument": {"uri": uri}}
        client.raw({"id": "one", "method": "textDocument/diagnostic", "params": document})
        answers = [client.answer_to("all", "one") for _ in range(2)]
        assert [answer["id"] for answer in answers] == ["one", "all"]
        one, every = (answer["result"]["items"] for answer in answers)
        assert one == []
        # What all files have been told is of after the edit, too.
        assert {item["uri"] for item in every if item["items"]} == {
            path.as_uri() for path in project.glob("*.py") if path != edited
        }


def test_a_run_on_all_files_gives_up_within_a_file(project: Path) -> None:
    from jitlint.integrations.server.linting import StaleError, Workspace, lint_folder
    from jitlint.integrations.server.settings import Settings
    from jitlint.project.memory import Memory

    for number in range(3):
        write(project / f"m{number}.py", HOSTILE)
    workspace = Workspace((), folders={project: Settings(workspace_diagnostics=True)})

    def run(patience: int) -> tuple[int, int]:
        """How often it asked, and how many files it reported on."""
        asked = 0

        def stale() -> bool:
            nonlocal asked
            asked += 1
            return asked > patience

        try:
            found = lint_folder(project, workspace, stale, Memory())
            return asked, len(found.reports)
        except StaleError:
            return asked, 0

    questions = 0
    while not (found := run(questions))[1]:
        # It gave up at the first question that was answered with yes.
        assert found[0] == questions + 1
        questions += 1
    assert found[1] == 3
    assert questions > 3


def test_a_folder_holds_what_is_open_and_not_saved_yet(project: Path) -> None:
    from jitlint.integrations.server.linting import Workspace, lint_folder
    from jitlint.integrations.server.open_documents import OpenDocument
    from jitlint.integrations.server.settings import Settings
    from jitlint.project.memory import Memory

    names = ("new.py", "deep/new.py", "build/new.py", "notes.txt")
    documents = [
        OpenDocument((project / name).as_uri(), project / name, 1, HOSTILE) for name in names
    ]
    workspace = Workspace(documents, folders={project: Settings()})
    found = lint_folder(project, workspace, lambda: False, Memory())
    # What would be left out if it were saved is left out.
    assert {*found.reports} == {project / "new.py", project / "deep/new.py"}


def test_what_is_left_out_says_nothing_of_other_files_when_it_is_open(project: Path) -> None:
    from jitlint.integrations.server.linting import Workspace, lint, lint_folder
    from jitlint.integrations.server.open_documents import OpenDocument
    from jitlint.integrations.server.settings import Settings
    from jitlint.project.memory import Memory

    write(project / "pyproject.toml", '[tool.jitlint]\nextend-exclude = ["user.py"]\n')
    texts = {
        "steps.py": "def half(x):\n    return float(x) / 2\n",
        "user.py": "import jax\nfrom steps import half\n\njax.jit(half)(1.0)\n",
    }
    documents = [
        OpenDocument(path.as_uri(), path, 1, text)
        for name, text in texts.items()
        if (path := write(project / name, text))
    ]
    workspace = Workspace(documents, folders={project: Settings()})
    found = lint_folder(project, workspace, lambda: False, Memory())
    assert not found.reports
    for each in lint(workspace, lambda: False, {}):
        assert not any(each.reports.values())


def test_all_files_are_linted_once_for_those_who_wait_and_anew_after_a_change(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lsprotocol import types

    from jitlint.integrations.server import workspace_reports as module
    from jitlint.integrations.server.linting import Linted, StaleError, Workspace
    from jitlint.integrations.server.settings import Settings

    calls: list[Path] = []

    async def talk() -> None:
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[str] = asyncio.Queue()

        def slow(folder: Path, workspace: Any, stale: Any, *_: Any) -> Linted:
            calls.append(folder)
            loop.call_soon_threadsafe(events.put_nowait, "began")
            if len(calls) < 3:
                _wait_for(stale)
                loop.call_soon_threadsafe(events.put_nowait, "gave up")
                raise StaleError
            return Linted({}, lambda _: None, ())

        async def settled() -> None:
            pass

        monkeypatch.setattr(module, "lint_folder", slow)
        workspace = Workspace((), folders={project: Settings(workspace_diagnostics=True)})
        reports = module.WorkspaceReports(
            lambda: workspace,
            settled,
            lambda *_: None,
            loop.call_soon_threadsafe,  # type: ignore[arg-type,return-value]
        )
        params = types.WorkspaceDiagnosticParams([])
        alone = asyncio.create_task(reports.answer(params))
        assert await events.get() == "began"
        alone.cancel()
        assert await events.get() == "gave up"
        both = [asyncio.create_task(reports.answer(params)) for _ in range(2)]
        assert await events.get() == "began"
        reports.outdate()
        assert [(await task).items for task in both] == [[], []]
        reports.stop()

    asyncio.run(talk())
    assert len(calls) == 3


def test_several_folders(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one / "pyproject.toml", '[tool.jitlint]\nignore = ["JIT101"]\n')
    write(two / "pyproject.toml", "")
    for folder in (one, two):
        write(folder / "helper.py", f"def wanted(x):\n    return {folder.name == 'two'} or x\n")
    text = HOSTILE + "\n\n@jax.jit\ndef g(x):\n    return int(x)\n"
    first, second = write(one / "a.py", text), write(two / "a.py", text)
    settings = {two.as_uri(): {"ignore": ["JIT105"]}}
    with Client([one, two], pulls=True, settings=settings) as client:
        client.quiet(0.3)
        first_uri, second_uri = client.open(first), client.open(second)
        # Which of the two comes first is up to the machine.
        found = client.diagnostics_of_each(first_uri, second_uri)
        assert list(map(codes, found)) == [["JIT105"], ["JIT101"]]
        client.settings = {}
        gone = {"event": {"added": [], "removed": [{"uri": two.as_uri(), "name": "two"}]}}
        client.notify("workspace/didChangeWorkspaceFolders", gone)
        client.notify("workspace/didChangeConfiguration", {"settings": {"jitlint": {}}})
        assert codes(client.diagnostics(second_uri)) == ["JIT101", "JIT105"]


def test_without_related_information_the_message_tells_the_chain(project: Path) -> None:
    with Client([project], related=False) as client:
        uri = client.open(project / "a.py", HOSTILE)
        (found,) = client.diagnostics(uri)
        assert "relatedInformation" not in found
        assert "why: " in found["message"] and "traced by jax.jit" in found["message"]


# -- bad input and the end ----------------------------------------------------------------------


def test_messages_about_unknown_documents(client: Any, project: Path) -> None:
    ghost = (project / "ghost.py").as_uri()
    client.change(ghost, "x")
    client.save(ghost)
    client.close(ghost)
    client.notify("textDocument/didChange", {"nonsense": 1})
    client.notify("no/such/notification", {})
    document = {"textDocument": {"uri": ghost}}
    assert client.request("textDocument/hover", {**document, "position": at(99, 99)}) is None
    params = {**document, "range": span((9, 9), (9, 9)), "context": {"diagnostics": []}}
    assert client.request("textDocument/codeAction", params) == []
    with pytest.raises(RuntimeError):
        client.request("no/such/request", {})
    uri = client.open(project / "a.py", HOSTILE)
    assert codes(client.diagnostics(uri)) == ["JIT101"]


@pytest.mark.parametrize(
    "uri",
    [
        "x", "file://", "file:///", "file:///%00.py", "file://host/share/a.py", "untitled:",
        "untitled:Untitled-1", "git:/a.py?ref=HEAD", f"file:///{'a' * 5000}.py", f"x:{'é' * 999}",
    ],
)  # fmt: skip
def test_names_that_are_no_files(client: Any, project: Path, uri: str) -> None:
    client.open(project, HOSTILE, uri=uri)
    (found,) = client.diagnostics(uri)
    assert found["code"] == "JIT101"
    assert {step["location"]["uri"] for step in found["relatedInformation"]} == {uri}
    # And it is in nobody's way.
    other = client.open(project / "a.py", HOSTILE)
    assert codes(client.diagnostics(other)) == ["JIT101"]
    assert not any(m["method"] == "window/showMessage" for m in client.notifications)


def test_a_project_that_cannot_be_linted_is_in_nobodys_way(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one / "pyproject.toml", "[tool.jitlint]\nwrong = 1\n")
    write(two / "pyproject.toml", "")
    with Client([one, two]) as client:
        client.open(one / "a.py", HOSTILE)
        uri = client.open(two / "a.py", HOSTILE)
        assert codes(client.diagnostics(uri)) == ["JIT101"]
        assert "unknown key 'wrong'" in client.message()


def test_a_file_that_is_renamed(client: Any, project: Path) -> None:
    old, new = write(project / "a.py", HOSTILE), project / "b é.py"
    before = client.open(old)
    assert codes(client.diagnostics(before)) == ["JIT101"]
    old.rename(new)
    client.close(before)
    assert client.diagnostics(before) == []
    after = client.open(new)
    assert codes(client.diagnostics(after)) == ["JIT101"]
    # Opened twice, the last text counts.
    client.open(new, CLEAN)
    assert client.diagnostics(after) == []


def test_positions_that_do_not_exist(client: Any, project: Path) -> None:
    uri = client.open(project / "a.py", HOSTILE)
    client.diagnostics(uri)
    version = client.change(uri, {"range": span((99, 99), (100, 1)), "text": "# end\n"})
    assert codes(client.diagnostics(uri, version)) == ["JIT101"]
    version = client.change(uri, {"range": span((5, 4), (5, 999)), "text": "if x.ndim:"})
    assert client.diagnostics(uri, version) == []
    here = {"textDocument": {"uri": uri}, "position": at(500, 500)}
    assert client.request("textDocument/hover", here) is None


def test_exit_without_shutdown(own_client: Any) -> None:
    own_client.notify("exit")
    assert own_client.process.wait(30) == 1


def test_a_client_that_goes_away(own_client: Any, project: Path) -> None:
    own_client.open(project / "a.py", HOSTILE)
    assert own_client.process.stdin is not None
    own_client.process.stdin.close()
    assert own_client.process.wait(30) == 1


def test_a_crash_is_told_and_ends_nothing(project: Path, tmp_path: Path) -> None:
    from jitlint.integrations.server import client_session as module

    told: list[str] = []
    published: list[Any] = []
    session = module.Session(
        publish=published.append,
        tell=lambda _, line: told.append(line),
        hand=lambda call: call(),
        refresh=lambda: None,
    )
    from lsprotocol import types

    original = module.lint
    calls = []

    def failing(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise RuntimeError("broken")
        return original(*arguments)

    module.lint = failing  # type: ignore[assignment]
    try:
        session.open(types.TextDocumentItem((project / "a.py").as_uri(), "python", 1, HOSTILE))
        _wait_for(lambda: bool(told))
        session.relint(at_once=True)
        _wait_for(lambda: bool(published))
    finally:
        module.lint = original  # type: ignore[assignment]
        session.stop()
    assert told == ["jitlint: internal error: RuntimeError: broken"]
    assert [item.code for item in published[0].diagnostics] == ["JIT101"]


def _wait_for(condition: Any) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# -- notebooks and prose ------------------------------------------------------------------------


class Notebook:
    """A notebook in the editor."""

    def __init__(self, client: Any, path: Path, *cells: str) -> None:
        self.client = client
        self.uri = path.as_uri()
        self.names = [f"vscode-notebook-cell:{path.as_posix()}#W{n}" for n in range(len(cells))]
        self.version = 1
        client.notify(
            "notebookDocument/didOpen",
            {
                "notebookDocument": {
                    "uri": self.uri,
                    "notebookType": "jupyter-notebook",
                    "version": 1,
                    "cells": [{"kind": 2, "document": name} for name in self.names],
                },
                "cellTextDocuments": [
                    self.item(name, text) for name, text in zip(self.names, cells, strict=True)
                ],
            },
        )

    def item(self, name: str, text: str) -> dict[str, Any]:
        return {"uri": name, "languageId": "python", "version": 1, "text": text}

    def close(self, *names: str) -> None:
        """Close it with the cells of these names."""
        self.client.notify(
            "notebookDocument/didClose",
            {
                "notebookDocument": {"uri": self.uri},
                "cellTextDocuments": [{"uri": name} for name in names],
            },
        )

    def change(self, cells: dict[str, Any]) -> None:
        self.version += 1
        self.client.notify(
            "notebookDocument/didChange",
            {
                "notebookDocument": {"uri": self.uri, "version": self.version},
                "change": {"cells": cells},
            },
        )


def test_cells_of_a_notebook_share_names(client: Any, project: Path) -> None:
    assert client.capabilities["notebookDocumentSync"]["notebookSelector"]
    book = Notebook(
        client,
        project / "tour.ipynb",
        "%matplotlib inline\nimport jax",
        "@jax.jit\ndef f(x):\n    '😀'; y = float(x)\n    return g(y)",
        "!pip list\ndef g(x):\n    return x",
    )
    first, second, third = book.names
    (found,) = client.diagnostics(second)
    assert found["code"] == "JIT105"
    assert found["range"] == span((2, 14), (2, 22))
    assert found["relatedInformation"][0]["location"]["uri"] == second
    _, action, _ = client.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": second},
            "range": found["range"],
            "context": {"diagnostics": [found]},
        },
    )
    (edit,) = action["edit"]["changes"][second]
    assert edit["newText"] == "  # noqa: JIT105"
    # Text of a cell.
    change = {"range": span((2, 18), (2, 19)), "text": "abs"}
    document = {"uri": second, "version": 2}
    book.change({"textContent": [{"document": document, "changes": [change]}]})
    found = client.diagnostics(second, 2)
    assert found == [] or codes(found) == ["JIT105"]
    # A cell that is no Python is reported by itself.
    document = {"uri": third, "version": 2}
    book.change({"textContent": [{"document": document, "changes": [{"text": "def g(:"}]}]})
    (broken,) = client.diagnostics(third, 2)
    assert broken["code"] == "JIT901"
    assert broken["range"]["start"]["line"] == 0
    # What can be read of a broken cell is.
    half = "y = (\njax.jit(lambda v: int(v))"
    document = {"uri": third, "version": 3}
    book.change({"textContent": [{"document": document, "changes": [{"text": half}]}]})
    assert codes(client.diagnostics(third, 3)) == ["JIT901", "JIT105"]
    # A cell is removed, another comes.
    added = f"{third}-new"
    book.change(
        {
            "structure": {
                "array": {
                    "start": 2,
                    "deleteCount": 1,
                    "cells": [{"kind": 2, "document": added}],
                },
                "didOpen": [book.item(added, "@jax.jit\ndef h(x):\n    return int(x)")],
                "didClose": [{"uri": third}],
            }
        }
    )
    assert client.diagnostics(third) == []
    assert codes(client.diagnostics(added)) == ["JIT105"]
    book.close(first, second, added)
    assert client.diagnostics(added) == []
    book.change({"textContent": [{"document": document, "changes": [{"text": "x"}]}]})
    assert codes(client.diagnostics(client.open(project / "a.py", HOSTILE))) == ["JIT101"]


def test_fixes_leave_the_right_cells(client: Any, project: Path) -> None:
    cells = (
        "%matplotlib inline\nfrom jax import jit",
        "@jit\ndef f(x):\n    x = x * 2\n    '😀'; x[0] = 1; y = x.sum(); print(y)\n    return x",
    )
    book = Notebook(client, project / "tour.ipynb", *cells)
    first, second = book.names
    store, shown = client.diagnostics(second)
    assert codes([store, shown]) == ["JIT205", "JIT201"]
    texts = dict(zip(book.names, cells, strict=True))

    def after(changes: dict[str, Any]) -> tuple[str, str]:
        new = {**texts, **{name: apply(texts[name], edits) for name, edits in changes.items()}}
        return new[first], new[second]

    set_ = cells[1].replace("x[0] = 1", "x = x.at[0].set(1)")
    assert after(_fixed(client, second, store)) == (cells[0], set_)
    # An import goes where the others are, and a sorter would have it.
    imports = "%matplotlib inline\nimport jax\nfrom jax import jit"
    print_ = 'jax.debug.print("{!s}", y)'
    printed = after(_fixed(client, second, shown))
    assert (printed[0].rstrip("\n"), printed[1]) == (imports, cells[1].replace("print(y)", print_))
    whole = after(_fixed(client, second))
    assert (whole[0].rstrip("\n"), whole[1]) == (imports, set_.replace("print(y)", print_))
    book.close(*book.names)


def test_a_client_that_asks_is_told_of_cells(project: Path) -> None:
    with Client([project], asks=True) as client:
        book = Notebook(client, project / "tour.ipynb", "import jax", HOSTILE)
        (found,) = client.diagnostics(book.names[1])
        assert found["code"] == "JIT101"
        # It would show them twice.
        assert client.ask(book.names[1]) == []
        before = client.refreshed
        book.close(*book.names)
        assert client.diagnostics(book.names[1]) == []
        client.quiet(0.3)
        assert client.refreshed == before


def test_cells_that_change_their_kind_their_language_or_their_place(
    client: Any, project: Path
) -> None:
    hostile = "jax.jit(lambda x: float(x))(1.0)"
    book = Notebook(client, project / "n.ipynb", "import jax", hostile, "x = 1")
    first, second, third = book.names
    assert codes(client.diagnostics(second)) == ["JIT105"]
    book.change({"data": [{"kind": 1, "document": second}]})
    assert client.diagnostics(second) == []
    book.change({"data": [{"kind": 2, "document": second}]})
    assert codes(client.diagnostics(second)) == ["JIT105"]
    cell = {"kind": 2, "document": second}
    for language, text, due in (("sql", "select 1", []), ("python", hostile, ["JIT105"])):
        # Closed and opened under one name, in one message.
        opened = {**book.item(second, text), "languageId": language}
        structure = {
            "array": {"start": 1, "deleteCount": 1, "cells": [cell]},
            "didOpen": [opened],
            "didClose": [{"uri": second}],
        }
        book.change({"structure": structure})
        client.quiet(0.5)
        assert last(client, second) == due
    # Behind the import it fails, before it nobody knows what `jax` is.
    order = [{"kind": 2, "document": name} for name in (second, first, third)]
    book.change({"structure": {"array": {"start": 0, "deleteCount": 3, "cells": order}}})
    client.quiet(0.5)
    book.change({"structure": {"array": {"start": 50, "deleteCount": 9}}})
    book.change(
        {"structure": {"array": {"start": 0, "deleteCount": 1}, "didClose": [{"uri": second}]}}
    )
    client.quiet(0.5)
    assert last(client, second) == []
    book.close(first, third)


def last(client: Any, uri: str) -> list[str]:
    """The codes that were published last."""
    published = [
        message["params"]["diagnostics"]
        for message in client.notifications
        if message["method"] == "textDocument/publishDiagnostics"
        and message["params"]["uri"] == uri
    ]
    return codes(published[-1])


def test_fences_in_markdown(client: Any, project: Path) -> None:
    text = f"# Tour\n\n```python\n{HOSTILE}```\n\n```\nno Python (\n```\n"
    uri = client.open(project / "tour.md", text, language="markdown")
    (found,) = client.diagnostics(uri)
    assert found["range"] == span((8, 7), (8, 12))
