"""Evolution strategies of evosax, as users write it."""

import jax
import jax.numpy as jnp
from evosax.algorithms import distribution_based, population_based
from evosax.core import fitness_shaping
from evosax.problems.bbob import bbob_fns

KEY = jax.random.key(0)
SOLUTION = {"w": jnp.zeros(3), "b": jnp.zeros(1)}
SIZE = 8


def _fitness(population):
    return sum(jnp.sum(leaf**2, axis=1) for leaf in jax.tree.leaves(population))


def _evolve(algorithm, population=None):
    params = algorithm.default_params
    key = KEY
    if population is None:
        state = algorithm.init(key, SOLUTION, params)
    else:
        state = algorithm.init(key, population, _fitness(population), params)

    def generation(state, key):
        ask, tell = jax.random.split(key)
        members, state = algorithm.ask(ask, state, params)
        state, metrics = algorithm.tell(tell, members, _fitness(members), state, params)
        return state, metrics

    return jax.lax.scan(generation, state, jax.random.split(key, 2))


def _strategy(name, **options):
    def feature():
        return _evolve(getattr(distribution_based, name)(
            population_size=SIZE, solution=SOLUTION, **options))

    return feature


open_es = _strategy("Open_ES")
cma_es = _strategy("CMA_ES")
sep_cma_es = _strategy("Sep_CMA_ES")
pgpe = _strategy("PGPE")
snes = _strategy("SNES")
xnes = _strategy("xNES")
ars = _strategy("ARS")
simple_es = _strategy("SimpleES")
guided_es = _strategy("GuidedES")
asebo = _strategy("ASEBO")
rm_es = _strategy("Rm_ES")
ma_es = _strategy("MA_ES")
lm_ma_es = _strategy("LM_MA_ES")
cr_fm_nes = _strategy("CR_FM_NES")
iamalgam_full = _strategy("iAMaLGaM_Full")
iamalgam_univariate = _strategy("iAMaLGaM_Univariate")
gradientless = _strategy("GradientlessDescent")
hill_climbing = _strategy("HillClimbing")
annealing = _strategy("SimulatedAnnealing")
random_search = _strategy("RandomSearch", sampling_fn=lambda key: jax.tree.map(
    lambda leaf: jax.random.normal(key, leaf.shape), SOLUTION))
discovered = _strategy("DiscoveredES")
noise_reuse = _strategy("NoiseReuseES")
persistent = _strategy("PersistentES")


def _population(name):
    def feature():
        algorithm = getattr(population_based, name)(population_size=SIZE, solution=SOLUTION)
        population = jax.tree.map(
            lambda leaf: jax.random.normal(KEY, (SIZE, *leaf.shape)), SOLUTION)
        return _evolve(algorithm, population)

    return feature


differential = _population("DifferentialEvolution")
swarm = _population("PSO")
simple_ga = _population("SimpleGA")
samr_ga = _population("SAMR_GA")
mr15_ga = _population("MR15_GA")
gesmr_ga = _population("GESMR_GA")
diffusion = _population("DiffusionEvolution")


def benchmark_functions():
    x = jnp.array([0.5, -0.3, 0.2])
    found = []
    for name, function in bbob_fns.bbob_fns.items():
        from evosax.problems.bbob.bbob import BBOBProblem

        problem = BBOBProblem(name, num_dims=3)
        state = problem.init(KEY)
        found.append(jax.jit(lambda k, s, p=problem, state=state: p.eval(k, s, state))(KEY, x[None]))
    return found


def shaping():
    population, fitness = jax.random.normal(KEY, (SIZE, 4)), jnp.arange(float(SIZE))

    found = []
    for name in dir(fitness_shaping):
        function = getattr(fitness_shaping, name)
        if name.endswith("_fitness_shaping_fn") and "weights" not in name:
            found.append(jax.jit(lambda p, f, function=function: function(p, f, None, None))(
                population, fitness))
    return found
