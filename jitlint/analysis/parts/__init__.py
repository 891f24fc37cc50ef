"""One part of an analysis: what is interpreted by itself, what is kept of it, what it reports."""
