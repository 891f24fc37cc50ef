"""``python -m tools.site`` writes what is stale."""

from __future__ import annotations

from tools.site.files import DOCS, renewed_files, stale

if __name__ == "__main__":
    texts = renewed_files()
    for path in stale(texts):
        text = texts[path]
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
        print(f"renewed {path.relative_to(DOCS.parent)}")
