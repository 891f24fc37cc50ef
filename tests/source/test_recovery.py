"""What stands for half-typed code says less than it, and leaves the rest alone."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given, strategies as st

from jitlint.source.ipython import parses
from jitlint.source.recovery import recover

MODULE = dedent('''\
    import jax
    import jax.numpy as jnp


    class Model:
        """What it is."""

        @jax.jit
        def step(self, x, y=3):
            if x > 0:
                return y
            elif y < 2:
                z = scale(
                    x,
                    y,
                )
            else:
                z = 1
            for i, j in enumerate([1, 2]):
                z += j
            try:
                z = load()
            except OSError:
                pass
            return z


    @jax.jit
    def last(x):
        return float(x)
''')
ROWS = MODULE.split("\n")


def changes(old: str, new: str) -> dict[str, str]:
    """The rows that are not those typed, by what was typed in them."""
    assert old in MODULE
    text = MODULE.replace(old, new, 1)
    found = recover(text)
    assert found is not None
    compile(found.text, "m.py", "exec")
    typed, read = text.split("\n"), found.text.split("\n")
    assert len(typed) == len(read)
    return {
        before.strip(): after.strip()
        for before, after in zip(typed, read, strict=True)
        if before != after
    }


def test_python_is_left_alone():
    assert recover(MODULE) is None
    assert recover("") is None
    assert recover("await x", whole=False) is None


@pytest.mark.parametrize(
    ("old", "new", "typed", "read"),
    [
        ("if x > 0:", "if x >", "if x >", "if get_ipython():"),
        ("if x > 0:", "if", "if", "if get_ipython():"),
        ("elif y < 2:", "elif y", "elif y", "elif get_ipython():"),
        ("z = 1", "z = scale(1", "z = scale(1", "z = get_ipython()"),
        ("z += j", "z +=", "z +=", "z = get_ipython()"),
        ("[1, 2]):", "[1, 2", "for i, j in enumerate([1, 2", "for i, j in get_ipython():"),
        ("return z", "return (z", "return (z", "return get_ipython()"),
        ("return z", "retu z", "retu z", "pass"),
        ("return z", "return z))", "return z))", "return get_ipython()"),
        ("        return z", "      return z", "return z", ""),
        ("class Model:", "class Model(", "class Model(", "class Model:"),
        ("x, y=3):", "x, y=", "def step(self, x, y=", "def step(*_, **__):"),
        ("@jax.jit", "@jax.", "@jax.", "pass"),
        ("import jax.numpy as jnp", "import jax.", "import jax.", "import jax"),
        ("import jax.numpy as jnp", "import jax.numpy as", "import jax.numpy as",
         "import jax.numpy"),
        ("import jax.numpy as jnp", "from jax import", "from jax import", "pass"),
        ("is.\"\"\"", "is.", '"""What it is.', "pass"),
        ("            pass\n", "\n", "except OSError:", "except Exception: pass"),
        ("        except OSError:\n            pass\n", "", "try:", "if get_ipython():"),
        ("    return float(x)\n", "    return float(x)\ndef g(", "def g(", "pass"),
        ("    return float(x)\n", "    return float(x)\nbreak\n", "break", "pass"),
    ],
)  # fmt: skip
def test_one_row_is_all_that_changes(old, new, typed, read):
    assert changes(old, new) == {typed: read}


def test_rows_that_a_bracket_joins_go_together():
    assert changes("x,\n                y,", "x y,\n                y,")["x y,"] == ""


def test_two_places():
    text = MODULE.replace("if x > 0:", "if x >").replace("return z", "return (z")
    found = recover(text)
    assert found is not None
    assert "def last(x):\n    return float(x)" in found.text
    assert "return get_ipython()" in found.text


def test_the_fault_is_the_first_one_and_where_it_was_typed():
    found = recover(MODULE.replace("if x > 0:", "if x >"))
    assert found is not None
    message, row, _ = found.fault
    assert (message, ROWS[row - 1].strip()) == ("invalid syntax", "if x > 0:")


@pytest.mark.parametrize("text", ["x = (", "(", ")", "'''", "\0", "def f(:", "\ud800", "if", "@"])
def test_fragments(text):
    found = recover(text)
    assert found is None or parses(found.text)


def test_deep_nesting_is_nothing_half_typed():
    assert recover(f"x = {'-' * 50_000}1\ny = {'(' * 150}1{')' * 150}\n") is None


def test_an_end_is_put_to_it():
    broken = "\n".join(f"x{number} = (" if number % 2 else "else" for number in range(300))
    assert recover(broken) is None


@given(st.data())
def test_any_keystroke(data):
    row = data.draw(st.integers(0, len(ROWS) - 1))
    at = data.draw(st.integers(0, len(ROWS[row])))
    typed = data.draw(st.sampled_from(["", "(", ")", "[", "'", '"""', ".", ":", "def ", "@", "\\"]))
    rest = data.draw(st.sampled_from([ROWS[row][at:], ROWS[row][at + 1 :], ""]))
    text = "\n".join([*ROWS[:row], ROWS[row][:at] + typed + rest, *ROWS[row + 1 :]])
    found = recover(text)
    if found is not None:
        compile(found.text, "m.py", "exec")
        assert found.text.count("\n") == text.count("\n")
