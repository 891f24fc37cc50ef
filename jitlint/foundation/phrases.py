"""Words for people: plurals, lists, and text that is safe for a terminal."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``; ``info`` is its own plural."""
    plural = noun if number == 1 or noun == "info" else noun + ("es" if noun.endswith("x") else "s")
    return f"{number} {plural}"


def joined(words: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """What was probably meant by a word that is not known, to go on a sentence; else nothing."""
    import difflib

    close = difflib.get_close_matches(word, list(known), n=1)
    return f", did you mean {close[0]}?" if close else ""


def printable(text: str) -> str:
    """Text safe for a terminal: control characters in source or file names become escapes."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character == "\t"
        else character.encode("unicode_escape", "surrogatepass").decode("ascii")
        for character in text
    )
