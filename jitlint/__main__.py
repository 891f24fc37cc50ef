"""``python -m jitlint``."""

import sys

from jitlint.cli import main

if __name__ == "__main__":
    sys.exit(main())
