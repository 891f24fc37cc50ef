"""What the documentation site shows and nobody writes: pages of rules, outputs, a picture.

``python -m tools.site`` renews it; a test fails when it is stale.
"""
