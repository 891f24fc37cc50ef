"""What a run left out of the code that JAX traces: silence that can be told of."""

from __future__ import annotations

from enum import Enum
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.foundation.records import Record


class Reason(Enum):
    """Why something was not analysed: a name for programs, and a sentence for people.

    The sentence is filled with what it concerns.
    """

    STEPS = "steps", "from here on no call is followed: what started takes more than {} steps"
    LATE = "late", "this call of `{}` was left out: what started has used up its steps"
    CONTEXTS = "contexts", "this call of `{}` was left out: it is called in too many ways"
    DEPTH = "depth", "this call of `{}` was left out: too many calls lead here"
    RECURSION = "recursion", "this call of `{}` was left out: it is in the middle of itself"
    NO_RETURN = "no-return", "what follows this call of `{}` was left out: no path returns from it"
    MISFIT = "misfit", "what follows this call of `{}` was left out: it takes other arguments"
    IMPORT = "import", "nothing of this module was analysed: there is no `{}`, which it imports"
    REPLACED = "replaced", "this call of `{}` was left out: the tests around it have a stand-in"
    GUESSED = "guessed", "a report was withheld here: that `{}` is traced is only a guess"
    ALTERNATIVES = (
        "alternatives",
        "a report was withheld here: `{}` is one of several functions, and not all of them agree",
    )
    STATIC = "static", "which parameters of `{}` are static is not known, nor which are traced"
    UNKNOWN_CALLEE = "unknown-callee", "what `{}` calls is not known, nor what that returns"
    UNKNOWN_LIBRARY = "unknown-library", "jitlint has no model of `{}`, so its result is not known"

    def __init__(self, label: str, sentence: str) -> None:
        self.label = label
        self.sentence = sentence


#: why a call was left out whose result more of a budget would have told
SHORT_OF_BUDGET: Final = frozenset({Reason.LATE, Reason.CONTEXTS, Reason.DEPTH})


class Omission(Record):
    """Something that was not analysed although JAX traces it.

    Args:
      reason: why.
      place: where.
      function: the qualified name of the function around it.
      subject: what the sentence of the reason is about: a name, or an expression there.
    """

    reason: Reason
    place: Place
    function: str
    subject: str | cst.CSTNode


#: by reason and node: one place is told of once
Omissions = dict[tuple[Reason, int], Omission]
