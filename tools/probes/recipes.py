"""Baseline arguments for the probe: with which values a library function can be called.

Everything is text or plain data, evaluated by ``tools.probes.function_rows`` in a namespace of
sample values, so that importing this module imports nothing heavy.  The names there are:
``V`` (vector of 4 floats in (0, 1)), ``M`` (3 by 4 floats), ``S`` (3 by 3, symmetric positive
definite), ``T`` (2 by 3 by 4), ``Q`` (1 by 2 by 4 by 4), ``I`` (vector of 4 small integers),
``B`` (vector of 4 booleans), ``X`` (a float), ``N`` (an int), ``C`` (complex vector), ``KEY`` (a
random key), ``np``, ``jnp``, ``lax``, ``jax``, ``math``.
"""

from __future__ import annotations

from typing import Final

from tools.probes.names import by_name


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Modules whose public functions make the table, in the order in which a shared function is named.
JAX_MODULES: Final = (
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.lax",
    "jax.lax.linalg",
    "jax.random",
    "jax.nn",
    "jax.nn.initializers",
    "jax.ops",
    "jax.image",
    "jax.tree",
    "jax.tree_util",
    "jax.dtypes",
    "jax.debug",
    "jax.scipy.special",
    "jax.scipy.linalg",
    "jax.scipy.signal",
    "jax.scipy.stats",
    "jax.scipy.fft",
    "jax.scipy.integrate",
    "jax.scipy.ndimage",
    "jax.scipy.optimize",
    "jax.scipy.cluster.vq",
    "jax.scipy.sparse.linalg",
    "jax.scipy.spatial.transform",
    *(
        f"jax.scipy.stats.{name}"
        for name in _words(
            "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom "
            "gumbel_l gumbel_r laplace logistic multinomial multivariate_normal nbinom norm "
            "pareto poisson t truncnorm uniform vonmises wrapcauchy"
        )
    ),
)

NUMPY_MODULES: Final = (
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "numpy.random",
    "numpy.polynomial",
    *(
        f"numpy.polynomial.{name}"
        for name in _words("chebyshev hermite hermite_e laguerre legendre polynomial")
    ),
)

SCIPY_MODULES: Final = (
    "scipy.special",
    "scipy.linalg",
    "scipy.stats",
    "scipy.fft",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.ndimage",
    "scipy.optimize",
    "scipy.signal",
    "scipy.spatial.distance",
    "scipy.cluster.vq",
)

# Methods of scipy.stats distributions, asked of one of them and recorded for all.
SCIPY_DISTRIBUTIONS: Final = _words(
    "norm uniform expon gamma beta lognorm t chi2 cauchy laplace logistic poisson binom bernoulli "
    "geom multivariate_normal truncnorm dirichlet"
)
SCIPY_DISTRIBUTION_METHODS: Final = _words("pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf rvs")

# Covered modules without functions of their own in the table.
OTHER_MODULES: Final = ("jax", "jax.scipy")

# What has no business in a traced program, would write files, wait, or cannot be called blindly.
SKIPPED: Final = frozenset(
    _words("""
    jax.numpy.load jax.numpy.fromfile jax.numpy.from_dlpack jax.numpy.frombuffer
    jax.numpy.get_printoptions jax.numpy.set_printoptions jax.numpy.printoptions
    jax.debug.breakpoint jax.debug.inspect_array_sharding jax.debug.visualize_array_sharding
    jax.debug.visualize_sharding jax.debug.log
    jax.lax.dce_sink jax.lax.stage jax.lax.composite
    jax.numpy.save jax.numpy.savez
    jax.tree_util.register_dataclass jax.tree_util.register_pytree_node
    jax.tree_util.register_pytree_node_class jax.tree_util.register_pytree_with_keys
    jax.tree_util.register_pytree_with_keys_class jax.tree_util.register_static
    numpy.load numpy.fromfile numpy.memmap numpy.loadtxt numpy.genfromtxt numpy.fromregex
    numpy.from_dlpack numpy.frombuffer numpy.info numpy.test numpy.show_config numpy.show_runtime
    numpy.get_include numpy.save numpy.savez numpy.savez_compressed numpy.savetxt numpy.asmatrix
    numpy.bmat numpy.matrix numpy.busdaycalendar numpy.nditer numpy.nested_iters numpy.errstate
    numpy.seterr numpy.geterr numpy.seterrcall numpy.geterrcall numpy.setbufsize numpy.getbufsize
    numpy.set_printoptions numpy.get_printoptions numpy.printoptions numpy.test
    numpy.random.get_state numpy.random.set_state numpy.random.test numpy.linalg.test
    numpy.fft.test numpy.polynomial.test numpy.lib numpy.get_bit_generator
    numpy.random.get_bit_generator numpy.random.set_bit_generator
    scipy.optimize.show_options scipy.optimize.differential_evolution scipy.optimize.dual_annealing
    scipy.optimize.basinhopping scipy.optimize.brute scipy.optimize.shgo scipy.optimize.direct
    scipy.stats.test scipy.integrate.test scipy.signal.test scipy.ndimage.test
    scipy.special.errstate scipy.special.geterr scipy.special.seterr
    """)
)

# Parameters for which a tracer has no meaning: never entries of must_be_static.
NEVER_STATIC: Final = frozenset(
    _words("""
    dtype device out out_sharding sharding precision preferred_element_type casting subok signature
    order like index_dtype new_dtype mode method kind implementation impl accuracy distribution
    distribution_kwargs dimension_numbers backend norm options type src memory_kind
    """)
)

# Values of a parameter by its name, for functions without a recipe; several mean several uses.
# A parameter counts as static only when every use fails with a tracer.
VALUES: Final[dict[str, tuple[str, ...]]] = {
    name: values
    for names, values in {
        "key keys": ("KEY",),
        "seed": ("N",),
        "axis": ("0", "-1"),
        "axes": ("(0,)", "(1, 0)"),
        "axis1 axisa axisb axisc source destination start_dimension dimension start_index "
        "reduction_dimension": ("0",),
        "axis2 k kth noverlap decimals shift index ddof correction offset edge_order "
        "stop_dimension": ("1",),
        "dimensions start_indices": ("(0,)",),
        "permutation": ("(1, 0)",),
        "shape": ("(4,)", "4"),
        "newshape": ("(2, 2)", "4"),
        "new_sizes sizes": ("(2, 2)",),
        "size maxiter max_iterations": ("3",),
        "length": ("5", "4"),
        "total_repeat_length": ("8",),
        "num_segments num_classes num num_samples N M nfft nperseg count": ("4",),
        "minlength": ("5",),
        "n m d deg ord slice_size limit_index num_rows batch_size lmax n_max l_max rank "
        "bucket_size": ("2",),
        "reps": ("2", "(2, 1)"),
        "repeats": ("np.array([1, 2, 0, 1])", "2"),
        "bins": ("4", "np.array([0., .5, 1.])"),
        "obj": ("1", "np.array([1, 2])"),
        "indices_or_sections": ("2", "(1, 3)"),
        "pad_width": ("1", "((1, 1),)"),
        "keepdims copy density": ("True", "False"),
        "slice_sizes limit_indices window_shape": ("(2,)",),
        "strides": ("(1,)",),
        "indices": ("np.array([0, 1])", "1"),
        "idx": ("np.array([0, 1])",),
        "segment_ids": ("np.array([0, 0, 1, 2])",),
        "fill_value": ("0.5", "0"),
        "initial value prepend append to_begin to_end scale": ("0.5",),
        "subscripts": ("'i,i->i'",),
        "negative_slope a_min rcond tol": ("0.1",),
        "a_max": ("0.9",),
        "axis_name": ("'i'",),
        "condition": ("B",),
        "period": ("2.0",),
        "left": ("0.0",),
        "right": ("1.0",),
        "weights": ("V",),
        "s": ("(4,)", "(2, 2)"),
        "fft_lengths": ("(4,)",),
        "is_normalized return_index return_inverse return_counts retstep": ("True",),
        "range": ("(0., 1.)",),
        "permutation_size": ("6",),
        "unroll": ("2", "True"),
        "padding": ("((1, 1), (1, 1))",),
    }.items()
    for name in _words(names)
}

# The operands of a function with neither a recipe nor a known parameter name, tried in this order.
PROFILES: Final = ("V", "S", "M", "I", "B", "X", "N", "T", "(V, V)", "Q", "C")

# Arguments by module and function.  Parameters that are not named keep their default.  What NumPy
# has and is not here takes the arguments of its namesake in jax.numpy, if it has such parameters.
_RECIPES: Final = {
    "jax.numpy": {
        "where": "condition=B, x=V, y=V",
        "arange": "start=1, stop=7, step=2",
        "array": "object=V",
        "astype": "x=V, dtype=np.int32",
        "apply_along_axis": "func1d=jnp.sum, axis=0, arr=M",
        "apply_over_axes": "func=jnp.sum, a=M, axes=(0,)",
        "bincount": "x=I",
        "block": "arrays=[V, V]",
        "broadcast_arrays result_type": "args=(V, V)",
        "broadcast_shapes": "shapes=((3, 1), (1, 4))",
        "broadcast_to": "array=V, shape=(3, 4)",
        "can_cast": "from_=np.int32, to=np.float32",
        "choose": "a=np.array([0, 1, 1, 0]), choices=[V, V]",
        "column_stack hstack vstack dstack": "tup=(V, V)",
        "compress": "condition=B, a=V",
        "concat concatenate stack": "arrays=(V, V)",
        "convolve": "a=V, v=V",
        "cross": "a=np.ones(3), b=np.ones(3)",
        "delete": "arr=V, obj=np.array([1, 2])",
        "diag": "v=V",
        "diagonal trace": "a=S",
        "digitize": "x=V, bins=np.array([0., .5, 1.])",
        "dsplit": "ary=T, indices_or_sections=2",
        "hsplit split array_split": "ary=V, indices_or_sections=2",
        "vsplit": "ary=np.ones((4, 2)), indices_or_sections=2",
        "einsum einsum_path": "subscripts='i,i->i', operands=(V, V)",
        "expand_dims": "a=V, axis=0",
        "extract": "condition=B, arr=V",
        "fill_diagonal": "a=S, val=X, inplace=False",
        "flip": "m=V",
        "fliplr flipud rot90": "m=M",
        "fromfunction": "function=jnp.add, shape=(2, 2)",
        "full": "shape=(4,), fill_value=0.5",
        "full_like": "a=V, fill_value=0.5",
        "geomspace linspace logspace": "start=1., stop=8.",
        "gradient": "f=V",
        "histogram round array_str": "a=V",
        "histogram2d": "x=V, y=V",
        "histogramdd": "sample=M",
        "indices": "dimensions=(2, 3)",
        "insert": "arr=V, obj=1, values=X",
        "interp": "x=V, xp=np.arange(4.), fp=V",
        "ix_": "args=(I, I)",
        "lexsort": "keys=(V, V)",
        "mask_indices": "n=3, mask_func=jnp.triu",
        "meshgrid": "xi=(V, V)",
        "moveaxis": "a=M, source=0, destination=1",
        "rollaxis": "a=M, axis=1",
        "swapaxes": "a=M, axis1=0, axis2=1",
        "nanquantile quantile": "a=V, q=0.5",
        "nanpercentile percentile": "a=V, q=50.",
        "nonzero": "a=I",
        "packbits": "a=B",
        "unpackbits": "a=np.array([1, 2], dtype=np.uint8)",
        "pad": "array=V, pad_width=1",
        "permute_dims transpose": "a=M, axes=(1, 0)",
        "matrix_transpose unstack": "x=M",
        "piecewise": "x=V, condlist=[B, ~B], funclist=[0.5, 1.5]",
        "place": "arr=V, mask=B, vals=V, inplace=False",
        "put": "a=V, ind=I, v=V, inplace=False",
        "put_along_axis": "arr=V, indices=I, values=V, axis=0, inplace=False",
        "polyfit": "x=V, y=V, deg=1",
        "promote_types": "a=np.int32, b=np.float32",
        "issubdtype": "arg1=np.int32, arg2=np.integer",
        "isdtype": "dtype=np.dtype('int32'), kind='integral'",
        "ravel_multi_index": "multi_index=(I, I), dims=(4, 4)",
        "unravel_index": "indices=I, shape=(2, 4)",
        "repeat": "a=V, repeats=2",
        "reshape": "a=V, shape=(2, 2)",
        "resize": "a=V, new_shape=(2, 4)",
        "select": "condlist=[B, B], choicelist=[V, V]",
        "squeeze": "a=np.ones((1, 4))",
        "take": "a=V, indices=np.array([0, 1])",
        "take_along_axis": "arr=V, indices=I, axis=0",
        "tensordot": "a=S, b=S",
        "tile": "A=V, reps=2",
        "trapezoid": "y=V",
        "tri eye": "N=3",
        "identity tril_indices triu_indices": "n=3",
        "tril triu": "m=S",
        "tril_indices_from triu_indices_from": "arr=S",
        "trim_zeros": "filt=I",
        "vander from_dlpack": "x=V",
        "vectorize": "pyfunc=jnp.sin",
        "frompyfunc": "func=lambda x, y: x + y, nin=2, nout=1",
        "dtype": "dtype='float32'",
        "finfo": "dtype=np.float32",
        "iinfo": "dtype=np.int32",
        "vdot": "a=V, b=V",
        "power": "x1=V, x2=2",
        "float_power": "x=V, y=2.",
        "roll": "a=V, shift=1",
        "clip": "arr=V, min=0.1, max=0.9",
        "ldexp": "x1=V, x2=I",
        "searchsorted": "a=V, v=X",
        "union1d": "ar1=I, ar2=I",
        "array_repr": "arr=V",
    },
    "jax.numpy.linalg": {
        "matrix_power": "a=S, n=2",
        "multi_dot": "arrays=(S, S)",
        "cross": "x1=np.ones(3), x2=np.ones(3)",
        "lstsq tensorsolve": "a=S, b=np.ones(3)",
        "solve": "a=S, b=np.ones((3, 1))",
        "tensorinv": "a=np.eye(4).reshape(2, 2, 2, 2)",
        "vecdot": "x1=V, x2=V",
    },
    "jax.numpy.fft": {
        "fftfreq rfftfreq": "n=4",
    },
    "jax.lax": {
        "approx_max_k approx_min_k top_k": "operand=V, k=2",
        "argmax argmin": "operand=V, axis=0, index_dtype=np.int32",
        "all_gather": "x=V, axis_name='i'",
        "all_to_all": "x=np.ones((2, 2)), axis_name='i', split_axis=0, concat_axis=0",
        "ppermute": "x=V, axis_name='i', perm=[(0, 1), (1, 0)]",
        "pshuffle": "x=V, axis_name='i', perm=[1, 0]",
        "pswapaxes": "x=np.ones((2, 2)), axis_name='i', axis=0",
        "psum_scatter": "x=np.ones((2, 2)), axis_name='i'",
        "associative_scan": "fn=jnp.add, elems=V",
        "bitcast_convert_type convert_element_type": "operand=V, new_dtype=np.int32",
        "broadcast": "operand=V, sizes=(2,)",
        "broadcast_in_dim": "operand=V, shape=(2, 4), broadcast_dimensions=(1,)",
        "broadcast_like": "arr=V, like_arr=M",
        "broadcast_shapes": "shapes=((3, 1), (1, 4))",
        "broadcast_to_rank": "x=V, rank=2",
        "broadcasted_iota": "dtype=np.int32, shape=(2, 3), dimension=0",
        "iota": "dtype=np.int32, size=4",
        "clamp": "min=0.1, x=V, max=0.9",
        "collapse": "operand=T, start_dimension=0, stop_dimension=2",
        "concatenate": "operands=(V, V), dimension=0",
        "stack": "operands=(V, V)",
        "cond": "pred=True, true_fun=jnp.sin, false_fun=jnp.cos, operands=(V,)",
        "switch": "index=0, branches=(jnp.sin, jnp.cos), operands=(V,)",
        "scan": "f=lambda c, x: (c + x, x), init=0.5, xs=V",
        "map": "f=jnp.sin, xs=V",
        "while_loop": "cond_fun=lambda c: c < 3., body_fun=lambda c: c + 1., init_val=0.5",
        "fori_loop": "lower=0, upper=3, body_fun=lambda i, c: c + 1., init_val=0.5",
        "reduce": "operands=V, init_values=0., computation=lax.add, dimensions=(0,)",
        "reduce_window": (
            "operand=V, init_value=0., computation=lax.add, window_dimensions=(2,), "
            "window_strides=(1,), padding='VALID'"
        ),
        "complex": "x=V, y=V",
        "conv": "lhs=Q, rhs=np.ones((2, 2, 3, 3)), window_strides=(1, 1), padding='SAME'",
        "conv_general_dilated": (
            "lhs=Q, rhs=np.ones((2, 2, 3, 3)), window_strides=(1, 1), padding='SAME', "
            "lhs_dilation=(1, 1), rhs_dilation=(1, 1), feature_group_count=1, batch_group_count=1"
        ),
        "conv_with_general_padding": (
            "lhs=Q, rhs=np.ones((2, 2, 3, 3)), window_strides=(1, 1), padding='SAME', "
            "lhs_dilation=(1, 1), rhs_dilation=(1, 1)"
        ),
        "conv_general_dilated_patches": (
            "lhs=Q, filter_shape=(2, 2), window_strides=(1, 1), padding='SAME'"
        ),
        "conv_general_dilated_local": (
            "lhs=Q, rhs=np.ones((3, 18, 4, 4)), window_strides=(1, 1), padding='SAME', "
            "filter_shape=(3, 3)"
        ),
        "conv_transpose": (
            "lhs=np.ones((1, 4, 4, 2)), rhs=np.ones((3, 3, 2, 2)), strides=(1, 1), padding='SAME'"
        ),
        "reduce_precision": "operand=V, exponent_bits=5, mantissa_bits=10",
        "dot_general": "lhs=S, rhs=S, dimension_numbers=(((1,), (0,)), ((), ()))",
        "dynamic_index_in_dim index_in_dim": "operand=V, index=1",
        "dynamic_slice": "operand=V, start_indices=(0,), slice_sizes=(2,)",
        "dynamic_slice_in_dim": "operand=V, start_index=0, slice_size=2",
        "dynamic_update_index_in_dim": "operand=V, update=X, index=1, axis=0",
        "dynamic_update_slice": "operand=V, update=V[:2], start_indices=(1,)",
        "dynamic_update_slice_in_dim": "operand=V, update=V[:2], start_index=1, axis=0",
        "empty": "shape=(4,), dtype=np.float32",
        "expand_dims": "array=V, dimensions=(0,)",
        "full": "shape=(4,), fill_value=0.5",
        "full_like": "x=V, fill_value=0.5, shape=(2,)",
        "fft": "x=C, fft_type='FFT', fft_lengths=(4,)",
        "gather": (
            "operand=V, start_indices=np.array([[0], [1]]), "
            "dimension_numbers=lax.GatherDimensionNumbers(offset_dims=(), "
            "collapsed_slice_dims=(0,), start_index_map=(0,)), slice_sizes=(1,)"
        ),
        "scatter scatter_add scatter_max scatter_min scatter_mul scatter_sub": (
            "operand=V, scatter_indices=np.array([[0], [1]]), updates=V[:2], "
            "dimension_numbers=lax.ScatterDimensionNumbers(update_window_dims=(), "
            "inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))"
        ),
        "index_take": "src=V, idxs=(np.array([0, 1]),), axes=(0,)",
        "integer_pow": "x=V, y=2",
        "pad": "operand=V, padding_value=np.float64(0.), padding_config=((1, 1, 0),)",
        "platform_dependent": "args=(V,), default=jnp.sin",
        "ragged_dot": "lhs=M, rhs=np.ones((2, 4, 5)), group_sizes=np.array([1, 2])",
        "reshape": "operand=V, new_sizes=(2, 2)",
        "rev": "operand=V, dimensions=(0,)",
        "rng_bit_generator": "key=np.zeros(4, np.uint32), shape=(4,)",
        "rng_uniform": "a=0., b=1., shape=(4,)",
        "select": "pred=B, on_true=V, on_false=V",
        "select_n": "which=B, cases=(V, V)",
        "slice": "operand=V, start_indices=(0,), limit_indices=(2,), strides=(1,)",
        "slice_in_dim": "operand=V, start_index=0, limit_index=2",
        "sort optimization_barrier": "operand=V",
        "sort_key_val": "keys=V, values=V",
        "split": "operand=V, sizes=(1, 3)",
        "squeeze": "array=np.ones((1, 4)), dimensions=(0,)",
        "tile": "operand=V, reps=(2,)",
        "transpose": "operand=M, permutation=(1, 0)",
        "unstack": "x=M",
        "polygamma": "m=V, x=V",
        "stop_gradient": "x=V",
        "random_gamma_grad": "args=(V, V)",
        "custom_root": (
            "f=lambda x: x - 1., initial_guess=0.5, solve=lambda f, x: x, "
            "tangent_solve=lambda g, y: y / g(1.)"
        ),
        "custom_linear_solve": "matvec=lambda x: x, b=V, solve=lambda m, b: b",
    },
    "jax.lax.linalg": {
        "cholesky_update": "r_matrix=S, w_vector=np.ones(3)",
        "lu_pivots_to_permutation": "pivots=np.array([0, 1, 2]), permutation_size=4",
        "triangular_solve": "a=S, b=S",
        "symmetric_product": "a_matrix=S, c_matrix=S",
        "householder_product": "a=S, taus=np.ones(3)",
        "ormqr": "a=S, taus=np.ones(3), c=S",
        "tridiagonal_solve": (
            "dl=np.ones(3, np.float32), d=np.ones(3, np.float32), du=np.ones(3, np.float32), "
            "b=np.ones((3, 1), np.float32)"
        ),
    },
    "jax.random": {
        "ball": "key=KEY, d=3",
        "choice": "key=KEY, a=V",
        "permutation": "key=KEY, x=V",
        "randint": "key=KEY, shape=(4,), minval=0, maxval=9",
        "multivariate_normal": "key=KEY, mean=np.zeros(3), cov=S",
        "multinomial": "key=KEY, n=4., p=np.array([.5, .5]), shape=(2,)",
        "orthogonal": "key=KEY, n=3",
        "truncated_normal": "key=KEY, lower=-1., upper=1.",
        "binomial": "key=KEY, n=4., p=0.5",
        "bernoulli geometric": "key=KEY, p=0.5",
        "categorical": "key=KEY, logits=V",
        "dirichlet": "key=KEY, alpha=V",
        "wrap_key_data": "key_bits_array=np.zeros(2, np.uint32)",
        "generalized_normal": "key=KEY, p=2.",
        "triangular": "key=KEY, left=0., mode=0.5, right=1.",
        "fold_in": "key=KEY, data=3",
    },
    "jax.nn": {
        "dot_product_attention": (
            "query=np.ones((1, 4, 2, 4)), key=np.ones((1, 4, 2, 4)), value=np.ones((1, 4, 2, 4))"
        ),
        "one_hot": "x=I, num_classes=4",
        "scaled_matmul": "",
    },
    "jax.nn.initializers": {
        "ones zeros": "key=KEY, shape=(3, 4)",
        "variance_scaling": "scale=1., mode='fan_in', distribution='normal'",
    },
    "jax.ops": {
        "segment_sum segment_max segment_min segment_prod": (
            "data=V, segment_ids=np.array([0, 0, 1, 2])"
        ),
    },
    "jax.image": {
        "resize": "image=S, shape=(6, 6), method='linear'",
        "scale_and_translate": (
            "image=S, shape=(6, 6), spatial_dims=(0, 1), scale=np.array([2., 2.]), "
            "translation=np.array([0., 0.]), method='linear'"
        ),
    },
    "jax.debug": {
        "print": "fmt='{}', args=(V,)",
        "callback": "callback=lambda a: None, args=(V,)",
    },
    "jax.scipy.special": {
        "sph_harm_y": "n=np.array([1]), m=np.array([0]), theta=X, phi=X, n_max=3",
        "bessel_jn": "z=V, v=2",
        "multigammaln": "a=V + 3., d=2",
        "polygamma": "n=V, x=V",
        "zeta": "x=V + 2., q=V",
        "lpmn": "m=2, n=2, z=V",
        "lpmn_values": "m=2, n=2, z=V, is_normalized=True",
        "logsumexp": "a=V",
    },
    "jax.scipy.linalg": {
        "convolution_matrix": "a=V, n=4",
        "eigh_tridiagonal": "d=V, e=V[:3], eigvals_only=True",
        "block_diag": "arrs=(S, S)",
        "cho_solve": "c_and_lower=(S, True), b=np.ones(3)",
        "lu_solve": "lu_and_piv=(S, np.array([0, 1, 2])), b=np.ones(3)",
        "hilbert pascal": "n=3",
        "solve_sylvester": "A=S, B=S, C=S",
        "solve solve_triangular": "a=S, b=np.ones(3)",
        "toeplitz": "c=V",
    },
    "jax.scipy.signal": {
        "convolve correlate": "in1=V, in2=V",
        "convolve2d correlate2d": "in1=S, in2=S",
        "istft": "Zxx=np.ones((3, 4), complex), nperseg=4",
        "stft welch": "x=np.ones(16), nperseg=4",
        "csd": "x=np.ones(16), y=np.ones(16), nperseg=4",
    },
    "jax.scipy.ndimage": {
        "map_coordinates": "input=S, coordinates=[V, V], order=1",
    },
    "jax.scipy.cluster.vq": {
        "vq": "obs=M, code_book=M",
    },
    "jax.scipy.integrate": {
        "trapezoid": "y=V",
    },
    "jax.scipy.optimize": {
        "minimize": "fun=lambda x: jnp.sum(x * x), x0=V, method='BFGS'",
    },
    "jax.scipy.sparse.linalg": {
        "cg gmres bicgstab": "A=S, b=np.ones(3)",
    },
    "jax.scipy.stats": {
        "mode": "a=V",
    },
    "jax.scipy.stats.multivariate_normal": {
        "logpdf pdf": "x=np.zeros(3), mean=np.zeros(3), cov=S",
    },
    "jax": {
        "device_put device_get block_until_ready typeof": "x=V",
        "eval_shape": "fun=jnp.sin, args=(V,)",
        "pure_callback": (
            "callback=lambda a: a, result_shape_dtypes=jax.ShapeDtypeStruct((4,), np.float32), "
            "args=(V,)"
        ),
        "devices local_devices device_count local_device_count process_index process_count "
        "default_backend": "",
        "make_jaxpr": "fun=jnp.sin",
        "named_scope": "name='a'",
        "ShapeDtypeStruct": "shape=(4,), dtype=np.float32",
    },
    "jax.dtypes": {
        "issubdtype": "a=np.int32, b=np.integer",
        "canonicalize_dtype": "dtype=np.float32",
        "result_type": "args=(V, V)",
        "scalar_type_of": "x=V",
    },
    "jax.Array": {
        "reshape": "self=V, args=(2, 2)",
        "transpose": "self=M, args=(1, 0)",
        "astype view": "self=V, dtype=np.int32",
        "choose": "self=np.array([0, 1, 1, 0]), choices=[V, V]",
        "compress": "self=V, condition=B",
        "repeat": "self=V, repeats=2",
        "squeeze": "self=np.ones((1, 4))",
        "swapaxes": "self=M, axis1=0, axis2=1",
        "diagonal trace": "self=S",
        "dot": "self=V, b=V",
        "clip": "self=V, min=0.1, max=0.9",
        "searchsorted": "self=V, v=X",
        "take": "self=V, indices=np.array([0, 1])",
        "__getitem__": "self=V, idx=1",
        "item": "self=X",
        "nonzero": "self=I",
    },
    "numpy": {
        "vsplit": "ary=S, indices_or_sections=3",
        "arange": "start_or_stop=4",
        "zeros ones empty": "shape=(4,)",
        "transpose": "a=M",
        "take_along_axis": "arr=V, indices=np.array([0, 1, 2, 3]), axis=0",
        "clip": "a=V, a_min=0.1, a_max=0.9",
        "broadcast_shapes": "args=((3, 1), (1, 4))",
        "result_type": "arrays_and_dtypes=(V, V)",
        "apply_along_axis": "func1d=np.sum, axis=0, arr=M",
        "vectorize": "pyfunc=math.sin",
        "put": "a=V.copy(), ind=I, v=V",
        "place": "arr=V.copy(), mask=B, vals=V",
        "copyto": "dst=V.copy(), src=V",
        "fill_diagonal": "a=S.copy(), val=X",
        "isin": "element=V, test_elements=V",
    },
    "numpy.random": {
        "choice": "a=V",
    },
    "numpy.linalg": {
        "norm": "x=V",
        "solve": "a=S, b=np.ones(3)",
    },
    "scipy.linalg": {
        "cho_solve": "c_and_lower=(S, True), b=np.ones(3)",
        "lu_solve": "lu_and_piv=(S, np.array([0, 1, 2])), b=np.ones(3)",
        "solve": "a=S, b=np.ones(3)",
        "block_diag": "arrs=(S, S)",
    },
    "scipy.interpolate": {
        "interp1d CubicSpline": "x=np.arange(4.), y=V",
    },
    "scipy.integrate": {
        "quad": "func=math.sin, a=0., b=1.",
        "solve_ivp": "fun=lambda t, y: -y, t_span=(0., 1.), y0=V",
        "odeint": "func=lambda y, t: -y, y0=V, t=np.arange(4.)",
    },
    "scipy.optimize": {
        "minimize": "fun=lambda x: (x * x).sum(), x0=V",
        "root": "fun=lambda x: x - 1., x0=V",
        "fsolve": "func=lambda x: x - 1., x0=V",
        "linear_sum_assignment": "cost_matrix=S",
    },
}
RECIPES: Final[dict[str, str]] = {
    **by_name(_RECIPES),
    **{
        f"jax.{prefix}{name}": arguments
        for prefix in ("tree.", "tree_util.tree_")
        for name, arguments in {
            "all": "tree=(True, True)",
            "broadcast": "prefix_tree=(V, V), full_tree=(V, (V, V))",
            "flatten": "tree=(V, V)",
            "flatten_with_path": "tree=(V, V)",
            "leaves": "tree=(V, V)",
            "leaves_with_path": "tree=(V, V)",
            "map": "f=lambda a: a, tree={'a': V, 'b': V}",
            "map_with_path": "f=lambda p, a: a, tree={'a': V, 'b': V}",
            "reduce": "function=jnp.add, tree=(V, V)",
            "reduce_associative": "operation=jnp.add, tree=(V, V)",
            "structure": "tree=(V, V)",
            "unflatten": "treedef=jax.tree.structure((0, 0)), leaves=[V, V]",
            "transpose": (
                "outer_treedef=jax.tree.structure((0, 0)), "
                "inner_treedef=jax.tree.structure([0, 0]), pytree_to_transpose=([V, V], [V, V])"
            ),
        }.items()
    },
}

# Keywords that make a data-dependent shape static, with a value that does.
ESCAPES: Final = (
    ("size", "4"),
    ("length", "8"),
    ("total_repeat_length", "8"),
    ("num_segments", "4"),
    ("strip_zeros", "False"),
    ("assume_unique_indices", "True"),
    ("mode", "'clip'"),
    ("mode", "'wrap'"),
)

# Functions that fail only with this many operands: name, arguments, number.
ARITIES: Final = (("jax.numpy.where", "condition=B", 1),)

# The number of results follows the operands (rank, number of arguments, a size), so that no tuple
# length holds for every call.
LENGTH_VARIES: Final = frozenset(
    _words("""
    jax.numpy.array_split jax.numpy.broadcast_arrays jax.numpy.diag_indices
    jax.numpy.diag_indices_from jax.numpy.dsplit jax.numpy.hsplit jax.numpy.ix_ jax.numpy.meshgrid
    jax.numpy.nonzero jax.numpy.split jax.numpy.unravel_index jax.numpy.unstack jax.numpy.vsplit
    jax.lax.split jax.lax.unstack jax.Array.nonzero
    """)
)

# What comes back has the structure of a user's operand, or of what a user's function returns, which
# one call cannot show.
RETURNS: Final[dict[str, str]] = {
    **{
        name: kind
        for kind, names in {
            "array": "jax.scipy.linalg.cho_solve jax.numpy.apply_over_axes jax.numpy.fft.fftfreq",
            "operand": """
                jax.block_until_ready jax.device_get jax.device_put jax.reshard
                jax.lax.optimization_barrier jax.lax.stop_gradient jax.lax.pvary jax.lax.pcast
                jax.lax.with_sharding_constraint
            """,
            "tree": """
                jax.lax.associative_scan jax.lax.cond jax.lax.custom_linear_solve
                jax.lax.custom_root jax.lax.fori_loop jax.lax.map jax.lax.platform_dependent
                jax.lax.reduce jax.lax.reduce_window jax.lax.scan jax.lax.sort jax.lax.switch
                jax.lax.while_loop jax.pure_callback jax.lax.all_gather jax.lax.all_to_all
                jax.lax.pmax jax.lax.pmean jax.lax.pmin jax.lax.ppermute jax.lax.pshuffle
                jax.lax.psum jax.lax.psum_scatter jax.lax.pswapaxes jax.scipy.optimize.minimize
                jax.scipy.sparse.linalg.bicgstab jax.scipy.sparse.linalg.cg
                jax.scipy.sparse.linalg.gmres
            """,
            "unknown": "jax.numpy.apply_along_axis jax.numpy.fromfunction",
            "callable": "jax.numpy.vectorize jax.numpy.frompyfunc jax.make_jaxpr",
        }.items()
        for name in _words(names)
    },
    **{
        f"jax.{prefix}{name}": kind
        for prefix in ("tree.", "tree_util.tree_")
        for names, kind in {
            "broadcast flatten flatten_with_path leaves_with_path map map_with_path reduce "
            "reduce_associative transpose unflatten": "tree",
            # A tree of Python booleans may hold tracers, of which it asks the truth.
            "all": "static",
            "leaves": "array_list",
        }.items()
        for name in _words(names)
    },
}

# Failures that one call of a kind shows but another common call does not: left out of
# must_be_static, because a false entry costs more than a missing one.
POLYMORPHIC: Final[dict[str, tuple[str, ...]]] = {
    "jax.numpy.histogram": ("bins",),
    "jax.numpy.histogram2d": ("bins",),
    "jax.numpy.histogramdd": ("bins",),
    "jax.numpy.histogram_bin_edges": ("bins",),
    # A pair of an array, which may be traced, and a bool, which may not.
    "jax.scipy.linalg.cho_solve": ("c_and_lower",),
}

# Methods of numpy.random.Generator, by what a call needs besides the operand.  Those of a
# RandomState are the functions of numpy.random.
_RANDOM_METHODS: Final = {
    "": """
    bytes chisquare choice dirichlet exponential gamma geometric gumbel integers laplace logistic
    lognormal logseries normal pareto permutation permuted poisson power random rayleigh shuffle
    standard_cauchy standard_exponential standard_gamma standard_normal standard_t uniform weibull
    zipf
    """,
    ", 0.5": "beta binomial f negative_binomial noncentral_chisquare vonmises wald",
    ", 0.5, 0.5": "noncentral_f triangular",
    ", 4, 2": "hypergeometric",
    ", [0.5, 0.5]": "multinomial",
    ", np.eye(4)": "multivariate_normal",
}

# Expressions for Python's own functions.  ``x`` is the traced value; the letters say which samples
# it is tried with: X (float scalar), N (int scalar), V (float vector).
PYTHON_CALLS: Final[dict[str, tuple[str, str]]] = {
    **{
        name: (f"{name.removeprefix('builtins.')}(x)", letters)
        for names, letters in {
            "builtins.abs builtins.ascii builtins.callable builtins.format builtins.hash "
            "builtins.id builtins.repr builtins.round builtins.str builtins.type json.dumps "
            "pickle.dumps random.expovariate": "X",
            "builtins.bin builtins.chr builtins.hex builtins.oct builtins.range "
            "datetime.timedelta operator.index random.randrange random.seed time.sleep": "NX",
            "builtins.bool builtins.complex builtins.float builtins.int operator.not_ "
            "operator.truth": "XV",
            "builtins.bytearray builtins.bytes builtins.slice": "N",
            "builtins.enumerate builtins.iter builtins.len builtins.list builtins.reversed "
            "builtins.sum builtins.tuple copy.copy copy.deepcopy operator.length_hint "
            "random.choice random.shuffle": "V",
            "decimal.Decimal fractions.Fraction": "XN",
        }.items()
        for name in _words(names)
    },
    "builtins.all": ("all([x, x])", "XV"),
    "builtins.any": ("any([x, x])", "XV"),
    "builtins.dict.fromkeys": ("dict.fromkeys([x])", "X"),
    "builtins.divmod": ("divmod(x, 2)", "X"),
    "builtins.filter": ("list(filter(None, [x, x]))", "XV"),
    "builtins.format(format_spec)": ("format(x, '.2f')", "X"),
    "builtins.frozenset": ("frozenset([x])", "X"),
    "builtins.getattr": ("getattr(x, 'shape')", "V"),
    "builtins.hasattr": ("hasattr(x, 'shape')", "X"),
    "builtins.isinstance": ("isinstance(x, float)", "X"),
    "builtins.issubclass": ("issubclass(type(x), float)", "X"),
    "builtins.map": ("map(abs, x)", "V"),
    "builtins.max": ("max(x, 1)", "XV"),
    "builtins.min": ("min(x, 1)", "XV"),
    "builtins.next": ("next(iter(x))", "V"),
    "builtins.pow": ("pow(x, 2)", "X"),
    "builtins.print": ("print(x, file=io.StringIO())", "X"),
    "builtins.set": ("set([x])", "X"),
    "builtins.sorted": ("sorted([x, x])", "XV"),
    "builtins.zip": ("zip(x, x)", "V"),
    "json.dump": ("json.dump(x, io.StringIO())", "X"),
    **{
        f"numpy.{ufunc}.{method}": (
            f"np.{ufunc}.{method}(x, x)" if method == "outer" else f"np.{ufunc}.{method}(x)",
            "V",
        )
        for ufunc in _words("add multiply maximum minimum logical_and logical_or subtract")
        for method in ("reduce", "accumulate", "outer")
    },
    "numpy.ndarray.clip": ("V.clip(x, 1.)", "X"),
    "numpy.ndarray.dot": ("V.dot(x)", "V"),
    "numpy.ndarray.fill": ("V.copy().fill(x)", "XV"),
    "numpy.ndarray.repeat": ("V.repeat(x)", "N"),
    "numpy.ndarray.reshape": ("V.reshape(x)", "N"),
    "numpy.ndarray.searchsorted": ("V.searchsorted(x)", "X"),
    "numpy.ndarray.sum": ("V.sum(axis=x)", "N"),
    "numpy.ndarray.take": ("V.take(x)", "N"),
    # An object that calls a Python function on each element of NumPy arrays.
    "numpy.vectorize.__call__": ("np.vectorize(math.sin)(x)", "XV"),
    "numpy.frompyfunc.__call__": ("np.frompyfunc(math.sin, 1, 1)(x)", "XV"),
    **{
        f"numpy.testing.assert_{name}": (f"np.testing.assert_{name}(x, x)", "XV")
        for name in _words(
            "allclose almost_equal approx_equal array_almost_equal array_equal array_less equal"
        )
    },
    # Sources of random numbers, and their methods; each method with as many operands as it needs.
    **{
        f"numpy.random.{source}": (f"np.random.{source}(x)", "N")
        for source in _words("RandomState SeedSequence PCG64 PCG64DXSM MT19937 Philox SFC64")
    },
    **{
        f"numpy.random.Generator.{method}": (f"np.random.default_rng(0).{method}(x{more})", "XNV")
        for more, methods in _RANDOM_METHODS.items()
        for method in _words(methods)
    },
    "numpy.einsum": ("np.einsum('i,i->i', x, x)", "V"),
    "numpy.einsum_path": ("np.einsum_path('i,i->i', x, x)", "V"),
    "operator.concat": ("operator.concat([0], x)", "V"),
    "operator.contains": ("operator.contains([0, 1], x)", "XV"),
    "operator.countOf": ("operator.countOf([0, 1], x)", "XV"),
    "operator.getitem": ("operator.getitem(x, 0)", "V"),
    "operator.indexOf": ("operator.indexOf([0, 1], x)", "XV"),
    "operator.is_": ("operator.is_(x, None)", "X"),
    "operator.is_not": ("operator.is_not(x, None)", "X"),
    "random.choices": ("random.choices([1, 2], k=x)", "N"),
    "random.gauss": ("random.gauss(0., x)", "X"),
    "random.normalvariate": ("random.normalvariate(0., x)", "X"),
    "random.randint": ("random.randint(0, x)", "NX"),
    "random.sample": ("random.sample([1, 2, 3], x)", "N"),
    "random.uniform": ("random.uniform(0., x)", "X"),
    "statistics.mean": ("statistics.mean([x, x])", "X"),
    "statistics.fmean": ("statistics.fmean([x, x])", "X"),
    "statistics.median": ("statistics.median([x, x])", "XV"),
    "statistics.mode": ("statistics.mode([x, x])", "X"),
    "statistics.pstdev": ("statistics.pstdev([x, x])", "X"),
    "statistics.pvariance": ("statistics.pvariance([x, x])", "X"),
    "statistics.stdev": ("statistics.stdev([x, x])", "X"),
    "statistics.variance": ("statistics.variance([x, x])", "X"),
    "struct.pack": ("struct.pack('f', x)", "XV"),
    "bisect.bisect": ("bisect.bisect([0., 1.], x)", "XV"),
    "bisect.bisect_left": ("bisect.bisect_left([0., 1.], x)", "XV"),
    "bisect.bisect_right": ("bisect.bisect_right([0., 1.], x)", "XV"),
    "bisect.insort": ("bisect.insort([0., 1.], x)", "XV"),
    "heapq.heappush": ("heapq.heappush([0.], x)", "X"),
    "heapq.nlargest": ("heapq.nlargest(1, [x, x])", "XV"),
    "heapq.nsmallest": ("heapq.nsmallest(1, [x, x])", "XV"),
}

# What a Python function gives back where looking at one call would mislead.
PYTHON_RETURNS: Final[dict[str, str]] = {
    "copy.copy": "operand",
    "copy.deepcopy": "operand",
    "builtins.iter": "array_list",
    "builtins.list": "array_list",
    "builtins.tuple": "array_list",
    "builtins.reversed": "array_list",
    **dict.fromkeys(
        _words(
            "builtins.enumerate builtins.filter builtins.getattr builtins.map builtins.next "
            "builtins.slice builtins.zip builtins.sum builtins.max builtins.min builtins.sorted "
            "operator.getitem random.choice"
        ),
        "unknown",
    ),
}

# Attributes and methods of numpy.ndarray that no JAX array has.
NUMPY_ONLY_ATTRIBUTES: Final = ("base", "ctypes", "data", "flags", "strides")
NUMPY_ONLY_METHODS: Final = _words(
    "dump dumps fill getfield itemset put resize setfield setflags tofile tostring"
)
