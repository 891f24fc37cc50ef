import jax

RHO = 1.2
AREA = 0.5


@jax.jit
def drag(speed):
    return 0.5 * RHO * AREA * speed**2
