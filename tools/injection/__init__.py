"""Injected faults: how much of what would really fail in real code is reported.

A child process takes down which functions of a package JAX traces while a driver runs, and with
what (:mod:`~tools.injection.recorder`).  Into each of them a fault is put that would certainly
happen there (:mod:`~tools.injection.hazards`), and the analysis is asked whether it sees it
(:mod:`~tools.injection.experiment`).
"""
