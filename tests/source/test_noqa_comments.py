"""Writing ``# noqa`` comments: where they go, and that nothing else changes."""

import textwrap

import pytest
from hypothesis import given, strategies as st

from jitlint.source.noqa_comments import add_comments, rewrite
from jitlint.source.suppression import read
from tests.commands import jitlint


def _pairs(before, after):
    return zip(before.split("\n"), after.split("\n"), strict=True)


def added(text, rows):
    return add_comments(text, {row: ["JIT101"] for row in rows})


@pytest.mark.parametrize(
    ("before", "rows", "after"),
    [
        ("x = 1\n", [1], "x = 1  # noqa: JIT101\n"),
        ("x = 1", [1], "x = 1  # noqa: JIT101"),
        ("x = 1 \t\n", [1], "x = 1  # noqa: JIT101\n"),
        ("x = 1 # why\n", [1], "x = 1 # why  # noqa: JIT101\n"),
        ("x = 1  # noqa: E501\n", [1], "x = 1  # noqa: E501,JIT101\n"),
        ("x = 1  #noqa:E501, W1 long\n", [1], "x = 1  #noqa:E501, W1, JIT101 long\n"),
        ("x = 1  # NOQA: JIT2 it is so\n", [1], "x = 1  # NOQA: JIT2,JIT101 it is so\n"),
        ("x = 1  # noqa: JIT1\n", [1], "x = 1  # noqa: JIT1\n"),
        ("x = 1  # noqa\n", [1], "x = 1  # noqa\n"),
        ("x = 1  # noqa: so be it\n", [1], "x = 1  # noqa: so be it\n"),
        (
            "x = 1  # jitlint: ignore[JIT2] why\n",
            [1],
            "x = 1  # jitlint: ignore[JIT2] why  # noqa: JIT101\n",
        ),
        ("x = 1  # type: ignore[x]\n", [1], "x = 1  # type: ignore[x]  # noqa: JIT101\n"),
        ("a; b\n", [1], "a; b  # noqa: JIT101\n"),
        ("x = 1\r\ny = 2\r\n", [2], "x = 1\r\ny = 2  # noqa: JIT101\r\n"),
        ("x = 1\ry = 2\r", [2], "x = 1\ry = 2  # noqa: JIT101\r"),
        ("x = 1\r\ny = 2\nz = 3\r", [1, 3], None),
        ("x = '# noqa: E501'\n", [1], "x = '# noqa: E501'  # noqa: JIT101\n"),
        ("é = 1  # ü  # noqa: E501\n", [1], "é = 1  # ü  # noqa: E501,JIT101\n"),
        ("x = 1\x0c\n\x0cy = 2\n", [2], "x = 1\x0c\n\x0cy = 2  # noqa: JIT101\n"),
    ],
)
def test_places(before, rows, after):
    if after is None:
        after = "x = 1  # noqa: JIT101\r\ny = 2\nz = 3  # noqa: JIT101\r"
    assert added(before, rows) == after
    assert added(after, rows) == after
    for row in rows:
        assert read(after).silences("JIT101", [row])


@pytest.mark.parametrize(
    ("before", "row", "last"),
    [
        ("x = f(\n    1,\n    2,\n)\n", 2, 2),
        ("x = f(\n    1,\n    2,\n)\n", 1, 1),
        ('x = """\na\n# no comment\n""" + y\n', 2, 4),
        ('x = f(\n    1, """\na""",\n    2)\n', 2, 3),
        ("x = 1 + \\\n    2 + \\\n    3\n", 1, 3),
        ("x = f(1, \\\n    2,\n    3)\n", 1, 2),
        ("if (\n    x\n    > 0  # why\n):\n    # a comment\n    pass\n", 3, 3),
        ("if x: y = (1,\n  2)\n", 1, 1),
        ("@f(\n    1,\n)\ndef g(\n    a=1,\n):\n    pass\n", 2, 2),
        ('def f():\n    """Doc\n\n    more\n    """\n    return """\n"""\n', 6, 7),
        ('x = f"""\n{y}\n"""\n', 2, 3),
        ('x = f"""{\n    y\n}\n"""\n', 2, 4),
    ],
)
def test_the_next_row_that_can_hold_a_comment(before, row, last):
    after = added(before, [row])
    changed = [
        number for number, (old, new) in enumerate(_pairs(before, after), start=1) if old != new
    ]
    assert changed == [last]
    assert added(after, [row]) == after


def test_a_comment_on_another_row_of_the_statement_is_left_as_it_is():
    before = "x = f(  # noqa: E501\n    1,\n)\n"
    assert added(before, [2]) == "x = f(  # noqa: E501\n    1,  # noqa: JIT101\n)\n"
    before = "x = f(  # noqa: E501\n    1,\n)  # noqa: JIT1\n"
    assert added(before, [2]) == before


def test_several_reports_on_one_row_share_a_comment():
    before = 'x = f("""\n    1""",\n    2)\ny = 1\n'
    after = add_comments(before, {1: ["JIT105", "JIT101"], 2: ["JIT105"], 3: ["JIT108"]})
    assert after == ('x = f("""\n    1""",  # noqa: JIT101,JIT105\n    2)  # noqa: JIT108\ny = 1\n')


def test_what_is_silenced_already_gets_no_second_comment():
    text = "# jitlint: ignore-file\nx = 1\n"
    assert added(text, [2]) == text
    after = add_comments("x = 1  # noqa: JIT1\n", {1: ["JIT101", "JIT205"]})
    assert after == "x = 1  # noqa: JIT1,JIT205\n"


def test_what_is_no_python_is_left_alone():
    for text in ("x = (\n", "x = '''\n", "if x:\n  a\n b\n"):
        with pytest.raises(ValueError, match=r"."):
            added(text, [1])


class TestFiles:
    def rewritten(self, tmp_path, data, seen, rows=(2,)):
        path = tmp_path / "a.py"
        path.write_bytes(data)
        rewrite(path, seen, {row: ["JIT101"] for row in rows})
        return path.read_bytes()

    @pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "cp1252", "shift_jis"])
    def test_the_encoding_is_kept(self, tmp_path, encoding):
        letter = "ソ" if encoding == "shift_jis" else "ä"
        text = f"# coding: {encoding}\r\nx = '{letter}'\r\n"
        expected = text.replace(f"'{letter}'", f"'{letter}'  # noqa: JIT101")
        assert self.rewritten(tmp_path, text.encode(encoding), text) == expected.encode(encoding)

    def test_the_byte_order_mark_is_kept(self, tmp_path):
        data = self.rewritten(tmp_path, b"\xef\xbb\xbfx = 1\ny = 2", "x = 1\ny = 2")
        assert data == b"\xef\xbb\xbfx = 1\ny = 2  # noqa: JIT101"

    def test_a_file_that_changed_is_left_alone(self, tmp_path):
        with pytest.raises(ValueError, match="changed during the run"):
            self.rewritten(tmp_path, b"x = 1\ny = 2\n", "x = 1\ny = 3\n")

    def test_bytes_that_the_codec_would_write_otherwise(self, tmp_path):
        # UTF-7 has several spellings of the same text.
        data = b"# coding: utf-7\nx = '+AEE-'\n"
        with pytest.raises(ValueError, match="utf-7"):
            self.rewritten(tmp_path, data, data.decode("utf-7"))
        assert (tmp_path / "a.py").read_bytes() == data

    def test_a_link_stays_a_link(self, tmp_path):
        target = tmp_path / "real.py"
        target.write_text("x = 1\n")
        target.chmod(0o755)
        link = tmp_path / "link.py"
        link.symlink_to(target)
        rewrite(link, "x = 1\n", {1: ["JIT101"]})
        assert link.is_symlink()
        assert target.read_text() == "x = 1  # noqa: JIT101\n"
        assert target.stat().st_mode & 0o777 == 0o755


_PIECES = (
    "x = 1",
    "x = 1  # why",
    "x = 1  # noqa: E501",
    "x = 1  # noqa: E501, W605 because",
    "x = f(\n    1,  # one\n)",
    'x = """\ntext  # noqa: E501\n"""',
    "x = a + \\\n    b",
    "if (\n    x\n):  # noqa: C901\n    y = 1",
    "def f(\n    a,\n):\n    return '''\n'''",
    "@g(\n    1\n)\nclass C:\n    a = 1",
    "",
    "# a comment",
)


@given(
    st.lists(st.sampled_from(_PIECES), min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.data(),
)
def test_any_row_of_code_can_be_silenced(pieces, end, last_end, data):
    text = end.join(piece.replace("\n", end) for piece in pieces) + (end if last_end else "")
    code = [
        row
        for row, line in enumerate(text.split(end), start=1)
        if line.strip() and not line.startswith("# ")
    ]
    rows = data.draw(st.lists(st.sampled_from(code), max_size=4)) if code else []
    after = add_comments(text, {row: ["JIT101", "JIT202"] for row in rows})
    assert after.count(end) == text.count(end)
    silenced = read(after)
    assert all(silenced.silences("JIT202", [row]) for row in rows)
    assert add_comments(after, {row: ["JIT101", "JIT202"] for row in rows}) == after


def test_flake8_understands_the_comments(tmp_path):
    pytest.importorskip("flake8")
    before = textwrap.dedent(
        '''\
        x = [
            a,  # noqa: E501
            b,
        ]
        y = c + """
        """
        z = d  # why
        '''
    )
    rows = {row: ["F821"] for row in (2, 3, 5, 7)}
    path = tmp_path / "a.py"
    path.write_text(add_comments(before, rows))
    done = jitlint("--isolated", "--select", "F821", path, cwd=tmp_path, module="flake8")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
