"""The abstract interpreter: runs traced functions on abstract values and emits events."""
