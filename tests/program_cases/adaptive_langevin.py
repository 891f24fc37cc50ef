import kernels
import sampling
import state

S = state.Settings(step=0.2, preconditioned=True)
HOSTILE = {
    "width": lambda: sampling.run(kernels.langevin_kernel, S),
    "accept": lambda: sampling.run(kernels.walk_kernel, S),
    "ladder": lambda: sampling.anneal(state.start(S), S),
}
EXPECT = {
    "width": ("ConcretizationTypeError",),
    "accept": ("TracerBoolConversionError",),
    "ladder": ("TracerIntegerConversionError",),
}
INNOCENT = [
    lambda: sampling.run(kernels.mala_kernel, S),
    lambda: sampling.run(kernels.mala_kernel, S, draws=4),
    lambda: sampling.anneal_unrolled(state.start(S), S),
]
