"""A running record of a fit."""

import json


class Journal:
    """Rows of (tag, value), in the order they were added."""

    def __init__(self, name):
        self.name = name
        self.rows = []

    def add(self, tag, value):
        self.rows.append((tag, value))  # expect: JIT202 @rows
        return value

    def dump(self):
        """The rows as JSON lines."""
        return "\n".join(json.dumps({"tag": t, "value": float(v)}) for t, v in self.rows)


def collect(parts, grads):
    """Put one norm per parameter into ``parts``."""
    for name, grad in sorted(grads.items()):
        parts[name] = (grad**2).sum() ** 0.5
    parts.setdefault("total", sum(parts.values()))
    return parts
