"""Habits of plain Python that mean something else in traced code."""
