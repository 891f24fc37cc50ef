import jobs

HOSTILE = {"huber": lambda: jobs.fit(0.3, 1.0), "log": lambda: jobs.score(2.0)}
EXPECT = dict.fromkeys(HOSTILE, ("TracerBoolConversionError",))
