"""Smoothing of triangle meshes."""
