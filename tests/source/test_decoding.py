"""Bytes to text: byte order marks, line ends, coding cookies, and what is no text at all."""

from pathlib import Path

import pytest

from jitlint.source.decoding import decode, read_document
from jitlint.source.document import DecodeFailure, Document, split_lines

PATH = Path("module.py")


def decoded(data: bytes) -> Document:
    document = decode(data, PATH)
    assert isinstance(document, Document), document
    return document


def failed(data: bytes) -> DecodeFailure:
    failure = decode(data, PATH)
    assert isinstance(failure, DecodeFailure), failure
    return failure


def test_byte_order_mark_is_dropped_and_remembered():
    document = decoded(b"\xef\xbb\xbfx = 1\n")
    assert document.text == "x = 1\n"
    assert document.has_bom


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_are_kept_in_text_and_dropped_from_lines(end):
    document = decoded(f"a = 1{end}b = 2{end}".encode())
    assert document.text == f"a = 1{end}b = 2{end}"
    assert document.lines == ("a = 1", "b = 2", "")
    assert document.line(2) == "b = 2"
    assert document.line(99) == ""


def test_form_feed_and_unicode_separators_do_not_end_a_line():
    assert split_lines("a\x0cb\u2028c\nd") == ("a\x0cb\u2028c", "d")


@pytest.mark.parametrize(
    "head",
    [b"# -*- coding: latin-1 -*-\n", b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n"],
)
def test_coding_cookie(head):
    document = decoded(head + b"name = '\xe9'\n")
    assert document.encoding == "iso8859-1"
    assert "é" in document.text


def test_cookie_below_code_or_in_third_line_is_a_comment():
    assert decoded(b"x = 1\n# coding: latin-1\n").encoding == "utf-8"
    assert decoded(b"#\n#\n# coding: latin-1\n").encoding == "utf-8"


def test_unknown_encoding():
    failure = failed(b"#!python\n# coding: klingon\n")
    assert (failure.row, failure.message) == (2, "unknown encoding: klingon")


@pytest.mark.parametrize("codec", [b"base64", b"zlib", b"rot13", b"utf-16"])
def test_encodings_that_cannot_hold_source(codec):
    assert isinstance(decode(b"# coding: " + codec + b"\nx = 1\n", PATH), Document | DecodeFailure)


def test_cookie_against_byte_order_mark():
    assert "byte order mark" in failed(b"\xef\xbb\xbf# coding: latin-1\n").message


def test_undecodable_byte_has_its_place():
    failure = failed(b"a = 1\nb = '\xc3\xa9\xff'\n")
    assert (failure.row, failure.column) == (2, 7)
    assert "0xff" in failure.message


def test_null_byte_has_its_place():
    failure = failed(b"a = 1\nb\0 = 2\n")
    assert (failure.row, failure.column) == (2, 2)
    assert "null" in failure.message


def test_empty_file():
    assert decoded(b"").text == ""


def test_read_document(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"x = 1\n")
    assert read_document(path) == Document(path, "x = 1\n")
    with pytest.raises(FileNotFoundError):
        read_document(tmp_path / "missing.py")
