"""``python -m tools.fix_proofs``: run what the unsafe fixes make of our own programs, too.

Prints for each rule how many fixes leave what a case gives and prints as it was (``proven``),
change it, fail, or could not be run, and lists those that change something or fail.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tools.fix_proofs.listing import listed, verdicts

_WORDS = ("proven", "changes", "fails", "not run")


def main() -> int:
    """Print the table, and the fixes that do not leave a program as it was."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        found = verdicts([*listed(folder, unsafe=True)], folder)
    counts = Counter((it["code"], it["applicability"], it["verdict"]) for it in found)
    print(f"{'':8}{'':8}" + "".join(f"{word:>10}" for word in _WORDS))
    for code, kind in sorted({key[:2] for key in counts}):
        row = "".join(f"{counts[code, kind, word]:10}" for word in _WORDS)
        print(f"{code:8}{kind:8}{row}")
    for row in sorted({row for it in found for row in it["elsewhere"]}):
        print(f"{row}: changed by no fix of its own")
    for it in found:
        if it["verdict"] in ("changes", "fails"):
            print(f"{it['place']} {it['code']} @{it['tag']}: {it['verdict']}: {it['why']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
