"""One run: frames, states, traces, the memo of calls, what is recorded, and the verbs."""
