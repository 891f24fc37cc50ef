"""One run: frames, states, traces, what is recorded, and the verbs."""
