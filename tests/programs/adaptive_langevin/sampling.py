"""Annealing and whole runs."""

from jax import lax

from kernels import langevin_kernel, mala_kernel, walk_kernel
from state import Settings, Walker, log_banana, start


def anneal(walker: Walker, settings: Settings):
    """Cool the step down the ladder."""

    def body(i, step):
        return step * settings.ladder[i]  # expect: JIT107 @ladder

    return walker._replace(step=lax.fori_loop(0, len(settings.ladder), body, walker.step))


def anneal_unrolled(walker: Walker, settings: Settings):
    step = walker.step
    for i in range(len(settings.ladder)):
        step = step * settings.ladder[i]
    return walker._replace(step=step)


def run(make_kernel, settings, draws=None):
    draws = settings.draws if draws is None else draws
    kernel = make_kernel(log_banana, settings)
    warm, _ = lax.scan(kernel, start(settings), None, length=settings.burn_in)
    _, samples = lax.scan(kernel, warm, None, length=draws)
    return samples


def main():
    settings = Settings(step=0.2)
    for make_kernel in (mala_kernel, walk_kernel, langevin_kernel):
        samples = run(make_kernel, settings)
        mean = float(samples.mean())
        if mean > 10:
            print("diverged")
        print(f"{make_kernel.__name__}: {mean:.3f}")
    print(anneal(start(settings), settings).step)


if __name__ == "__main__":
    main()
