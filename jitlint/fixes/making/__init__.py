"""Fixes made: from an event, and the libcst nodes of its place, to edits of the file."""
