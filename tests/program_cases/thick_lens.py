import bench
import jax.numpy as jnp
import surfaces
from tools.observation import is_tracer, printed


def lens():
    return [surfaces.Surface(50.0, 1.0, 1.5), surfaces.Surface(-50.0, 1.5, 1.0)]


def hits():
    pair = lens()
    bench.Bench(pair, (5.0, 40.0)).measure([1.0, 2.0, 3.0])
    return pair[0].hits == 1


def matrix():
    try:
        lens()[0].matrix()
    except TypeError:
        return True
    return False


def intercept():
    made = bench.Bench(lens(), (5.0, 40.0))
    made.measure([1.0])
    return is_tracer(made.intercepts)


def exits():
    made = bench.AsphericBench(lens(), (5.0, 40.0))
    made.measure([1.0])
    return is_tracer(made.exit_height)


def leaves():
    made = bench.Bench(lens(), (5.0, 40.0))
    text = printed(lambda: made.measure([1.0, 2.0, 3.0]))
    return text.count("leaves at") == 1 and "JitTracer" in text


def fan():
    made = bench.Bench(lens(), (5.0, 40.0))
    made.fan(surfaces.Ray(jnp.arange(3.0), jnp.zeros(3)))
    assert not is_tracer(made.intercepts) and made.runs == 0


SILENT = {"hits": hits, "matrix": matrix, "intercept": intercept, "exit": exits, "leaves": leaves}
INNOCENT = [fan, lambda: surfaces.focal_length(lens())]
