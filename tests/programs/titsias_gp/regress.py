import gp
import jax
import jax.numpy as jnp

X = jnp.linspace(0.0, 1.0, 8)[:, None]
Y = jnp.sin(6 * X[:, 0])


def fit(kernel, rounds=3, **options):
    """Gradient ascent on the evidence bound, with respect to the kernel itself."""
    model = gp.Model(kernel, 0.1, **options)
    z = gp.choose_inducing(X, 4)
    slope = jax.grad(model.bound)
    for _ in range(rounds):
        gradient = slope(kernel, X, Y, z)
        kernel = jax.tree.map(lambda k, g: k + 1e-3 * g, kernel, gradient)
        if kernel.scale < 0:
            break
    return model.evaluate(X, Y, z), kernel


def main():
    for kernel in (gp.SquaredExponential(0.3), gp.Matern(0.5, order=0)):
        print(fit(kernel)[0], gp.predict(kernel, X, Y, X[:2]))
    print(gp.log_evidence(gp.SquaredExponential(0.3), X, Y))
    print(gp.log_evidence(gp.Matern(0.3), X, Y), fit(gp.Matern(0.3), check=True))
    print(gp.predict(gp.Matern(0.3) * 2.0, X, Y, X[:2]), gp.thinned(X, 2))


if __name__ == "__main__":
    main()
