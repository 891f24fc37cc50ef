"""Linear solves with lineax, as users write them."""

import jax
import jax.numpy as jnp
import lineax as lx

MATRIX = jnp.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
VECTOR = jnp.array([1.0, 2.0, 3.0])
SPD = lx.positive_semidefinite_tag


def dense():
    for solver in (lx.LU(), lx.QR(), lx.SVD(), lx.AutoLinearSolver(well_posed=True),
                   lx.AutoLinearSolver(well_posed=False), lx.AutoLinearSolver(well_posed=None),
                   lx.GMRES(1e-4, 1e-4), lx.BiCGStab(1e-4, 1e-4),
                   lx.Normal(lx.CG(1e-4, 1e-4))):

        @jax.jit
        def solve(matrix, vector):
            operator = lx.MatrixLinearOperator(matrix)
            return lx.linear_solve(operator, vector, solver, throw=False).value

        solve(MATRIX, VECTOR)
        jax.jit(jax.grad(lambda m, v: solve(m, v).sum()))(MATRIX, VECTOR)


def definite():
    for solver in (lx.Cholesky(), lx.CG(1e-5, 1e-5), lx.NormalCG(1e-5, 1e-5)):

        @jax.jit
        def solve(matrix, vector):
            operator = lx.MatrixLinearOperator(matrix, SPD)
            return lx.linear_solve(operator, vector, solver).value

        solve(MATRIX, VECTOR)
        jax.vmap(solve, in_axes=(None, 0))(MATRIX, jnp.stack([VECTOR, VECTOR]))


def structured():
    @jax.jit
    def solve(diagonal, lower, upper, vector):
        out = [
            lx.linear_solve(lx.DiagonalLinearOperator(diagonal), vector, lx.Diagonal()).value,
            lx.linear_solve(
                lx.TridiagonalLinearOperator(diagonal + 5, lower, upper), vector, lx.Tridiagonal()
            ).value,
            lx.linear_solve(
                lx.MatrixLinearOperator(jnp.tril(MATRIX), lx.lower_triangular_tag), vector,
                lx.Triangular(),
            ).value,
            lx.linear_solve(
                lx.MatrixLinearOperator(jnp.triu(MATRIX), lx.upper_triangular_tag), vector,
            ).value,
            lx.linear_solve(lx.IdentityLinearOperator(jax.ShapeDtypeStruct((3,), jnp.float32)), vector).value,
        ]
        return out

    return solve(VECTOR, jnp.ones(2), jnp.ones(2), VECTOR)


def rectangular():
    @jax.jit
    def solve(matrix, vector):
        operator = lx.MatrixLinearOperator(matrix)
        solution = lx.linear_solve(operator, vector, lx.QR())
        small = lx.linear_solve(operator.T, vector[:2], lx.SVD())
        return solution.value, small.value, solution.stats

    return solve(MATRIX[:, :2], VECTOR)


def functions_and_jacobians():
    @jax.jit
    def solve(x, vector):
        structure = jax.eval_shape(lambda: vector)
        linear = lx.FunctionLinearOperator(lambda v: MATRIX @ v, structure, SPD)
        jacobian = lx.JacobianLinearOperator(lambda y, args: jnp.tanh(y) + y, x)
        forward = lx.JacobianLinearOperator(lambda y, args: y**3 + y, x, jac="fwd")
        out = [lx.linear_solve(op, vector, lx.AutoLinearSolver(well_posed=True)).value
               for op in (lx.linearise(linear), lx.materialise(jacobian), lx.linearise(forward))]
        return out, linear.mv(vector), jacobian.as_matrix(), jacobian.transpose().mv(vector)

    return solve(VECTOR, VECTOR)


def composed():
    @jax.jit
    def compute(matrix, vector):
        a = lx.MatrixLinearOperator(matrix)
        b = lx.DiagonalLinearOperator(vector)
        c = lx.TaggedLinearOperator(a, SPD)
        whole = a + b
        product = a @ b
        scaled = (2.0 * a) / 3.0
        negative = -a
        pytree = lx.PyTreeLinearOperator(
            {"u": matrix[0], "v": matrix[1]}, jax.eval_shape(lambda: {"u": 1.0, "v": 1.0})
        )
        return [op.mv(vector) for op in (whole, product, scaled, negative, c)] + [
            op.as_matrix() for op in (whole, product, scaled, negative, c)
        ] + [op.T.mv(vector) for op in (whole, product, scaled)] + [
            lx.diagonal(whole), lx.conj(product).mv(vector), pytree.mv(vector),
            lx.tridiagonal(lx.TridiagonalLinearOperator(vector, vector[:2], vector[:2])),
            lx.is_symmetric(whole), lx.is_diagonal(product), lx.materialise(product).mv(vector),
        ]

    return compute(MATRIX, VECTOR)


def inverted():
    @jax.jit
    def compute(matrix, vector):
        operator = lx.MatrixLinearOperator(matrix)
        state = lx.LU().init(operator, {})
        once = lx.linear_solve(operator, vector, lx.LU(), state=state).value
        again = lx.linear_solve(operator, vector * 2, lx.LU(), state=state).value
        power = lx.LSMR(1e-4, 1e-4) if hasattr(lx, "LSMR") else lx.QR()
        return once, again, lx.linear_solve(operator, vector, power).value

    return compute(MATRIX, VECTOR)


def invert_in_scan():
    @jax.jit
    def run(xs):
        def step(carry, x):
            operator = lx.MatrixLinearOperator(MATRIX + jnp.diag(x), SPD)
            out = lx.linear_solve(operator, carry, lx.CG(1e-5, 1e-5)).value
            return out, out

        return jax.lax.scan(step, VECTOR, xs)

    return run(jnp.ones((4, 3)))
