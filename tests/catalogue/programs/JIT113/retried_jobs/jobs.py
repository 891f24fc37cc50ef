"""Jobs are tried again, whatever happens."""

import jax

from losses import huber, safe_log

fit = jax.jit(huber)
score = jax.jit(jax.grad(safe_log))


def retry(job, *args, times=2):
    for attempt in range(times):
        try:
            return job(*args)
        except (TypeError, ValueError):
            continue
    return None


def nightly():
    results = {}
    try:
        results["fit"] = fit(0.3, 1.0)
    except TypeError:
        results["fit"] = None
    results["score"] = retry(score, 2.0)
    return results
