import kernels as k

S = k.Settings(step=0.2, preconditioned=True)
HOSTILE = {
    "width": lambda: k.run(k.langevin_kernel, S),
    "accept": lambda: k.run(k.walk_kernel, S),
    "ladder": lambda: k.anneal(k.start(S), S),
}
EXPECT = {
    "width": ("ConcretizationTypeError",),
    "accept": ("TracerBoolConversionError",),
    "ladder": ("TracerIntegerConversionError",),
}
INNOCENT = [
    lambda: k.run(k.mala_kernel, S),
    lambda: k.run(k.mala_kernel, S, draws=4),
    lambda: k.anneal_unrolled(k.start(S), S),
]
