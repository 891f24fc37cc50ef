"""From what runs have recorded to verdicts; no code runs here, and JAX is not imported."""
