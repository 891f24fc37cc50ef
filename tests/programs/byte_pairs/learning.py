"""Learn merges on the host."""

from collections import Counter


def learn(corpus: list[str], merges: int) -> list[tuple[int, int]]:
    """Learn merges with plain Python counters."""
    rows = [list(text.encode()) for text in corpus]
    learned: list[tuple[int, int]] = []
    while len(learned) < merges:
        counts = Counter(pair for row in rows for pair in zip(row, row[1:]))
        if not counts or max(counts.values()) < 2:
            break
        pair = counts.most_common(1)[0][0]
        learned.append(pair)
        rows = [replace(row, pair, 256 + len(learned) - 1) for row in rows]
    return learned


def replace(row: list[int], pair: tuple[int, int], new: int) -> list[int]:
    out, i = [], 0
    while i < len(row):
        if i + 1 < len(row) and (row[i], row[i + 1]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(row[i])
            i += 1
    return out


def merge_ids(table) -> dict:
    return {pair: 256 + i for i, pair in enumerate(table)}
