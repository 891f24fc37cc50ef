"""How tests say that something raises."""

from __future__ import annotations

from typing import Final

#: functions that are used as a context manager, or given what raises: at which position
EXPECTATIONS: Final = {
    "pytest.raises": 1,
    "numpy.testing.assert_raises": 1,
    "numpy.testing.assert_raises_regex": 2,
    "unittest.TestCase.assertRaises": 1,
    "unittest.TestCase.assertRaisesRegex": 2,
    "unittest.TestCase.assertRaisesRegexp": 2,
    # of absl.testing.absltest
    "unittest.TestCase.assertRaisesWithLiteralMatch": 2,
    "unittest.TestCase.assertRaisesWithPredicateMatch": 2,
}
#: decorators of tests that fail, or ought to: ``pytest.mark.xfail``, ``unittest.expectedFailure``
TO_FAIL: Final = frozenset({"xfail", "expectedFailure"})
#: those expectations that every class of tests inherits, by the name of the method
INHERITED: Final = {
    name.rpartition(".")[2]: name for name in EXPECTATIONS if name.startswith("unittest.TestCase.")
}
