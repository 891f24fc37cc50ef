import surrogate

HOSTILE = {"noise": surrogate.fit}
EXPECT = dict.fromkeys(HOSTILE, ("ValueError", "RuntimeError", "JaxRuntimeError"))
