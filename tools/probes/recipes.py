"""Baseline arguments for the probe: with which values a library function can be called.

Everything is text or plain data, evaluated by ``jitlint.jaxmodel.probe`` in a namespace of sample
values, so that importing this module imports nothing heavy.  The names in that namespace are:
``V`` (vector of 4 floats in (0, 1)), ``M`` (3 by 4 floats), ``S`` (3 by 3, symmetric positive
definite), ``T`` (2 by 3 by 4), ``Q`` (1 by 2 by 4 by 4), ``I`` (vector of 4 small integers),
``B`` (vector of 4 booleans), ``X`` (a float), ``N`` (an int), ``C`` (complex vector), ``KEY`` (a
random key), ``np``, ``jnp``, ``lax``, ``jax``, ``math``.
"""

from __future__ import annotations

from typing import Final


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

NUMPY_MODULES: Final = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy.polynomial")

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
    "key": ("KEY",),
    "keys": ("KEY",),
    "seed": ("N",),
    "axis": ("0", "-1"),
    "axes": ("(0,)", "(1, 0)"),
    "axis1": ("0",),
    "axis2": ("1",),
    "axisa": ("0",),
    "axisb": ("0",),
    "axisc": ("0",),
    "source": ("0",),
    "destination": ("0",),
    "start_dimension": ("0",),
    "dimension": ("0",),
    "dimensions": ("(0,)",),
    "permutation": ("(1, 0)",),
    "shape": ("(4,)", "4"),
    "newshape": ("(2, 2)", "4"),
    "new_sizes": ("(2, 2)",),
    "sizes": ("(2, 2)",),
    "size": ("3",),
    "length": ("5", "4"),
    "total_repeat_length": ("8",),
    "num_segments": ("4",),
    "minlength": ("5",),
    "num_classes": ("4",),
    "num": ("4",),
    "num_samples": ("4",),
    "k": ("1",),
    "kth": ("1",),
    "n": ("2",),
    "N": ("4",),
    "M": ("4",),
    "m": ("2",),
    "d": ("2",),
    "nfft": ("4",),
    "nperseg": ("4",),
    "noverlap": ("1",),
    "deg": ("2",),
    "decimals": ("1",),
    "ord": ("2",),
    "reps": ("2", "(2, 1)"),
    "repeats": ("np.array([1, 2, 0, 1])", "2"),
    "shift": ("1",),
    "bins": ("4", "np.array([0., .5, 1.])"),
    "obj": ("1", "np.array([1, 2])"),
    "indices_or_sections": ("2", "(1, 3)"),
    "pad_width": ("1", "((1, 1),)"),
    "keepdims": ("True", "False"),
    "slice_size": ("2",),
    "slice_sizes": ("(2,)",),
    "start_index": ("0",),
    "limit_index": ("2",),
    "start_indices": ("(0,)",),
    "limit_indices": ("(2,)",),
    "strides": ("(1,)",),
    "index": ("1",),
    "indices": ("np.array([0, 1])", "1"),
    "idx": ("np.array([0, 1])",),
    "segment_ids": ("np.array([0, 0, 1, 2])",),
    "num_rows": ("2",),
    "fill_value": ("0.5", "0"),
    "initial": ("0.5",),
    "ddof": ("1",),
    "correction": ("1",),
    "offset": ("1",),
    "maxiter": ("3",),
    "max_iterations": ("3",),
    "batch_size": ("2",),
    "edge_order": ("1",),
    "subscripts": ("'i,i->i'",),
    "value": ("0.5",),
    "negative_slope": ("0.1",),
    "a_min": ("0.1",),
    "a_max": ("0.9",),
    "axis_name": ("'i'",),
    "copy": ("True", "False"),
    "density": ("True", "False"),
    "condition": ("B",),
    "period": ("2.0",),
    "left": ("0.0",),
    "right": ("1.0",),
    "weights": ("V",),
    "prepend": ("0.5",),
    "append": ("0.5",),
    "to_begin": ("0.5",),
    "to_end": ("0.5",),
    "s": ("(4,)", "(2, 2)"),
    "fft_lengths": ("(4,)",),
    "lmax": ("2",),
    "n_max": ("2",),
    "l_max": ("2",),
    "is_normalized": ("True",),
    "return_index": ("True",),
    "return_inverse": ("True",),
    "return_counts": ("True",),
    "retstep": ("True",),
    "stop_dimension": ("1",),
    "rcond": ("0.1",),
    "tol": ("0.1",),
    "range": ("(0., 1.)",),
    "rank": ("2",),
    "reduction_dimension": ("0",),
    "window_shape": ("(2,)",),
    "permutation_size": ("6",),
    "scale": ("0.5",),
    "bucket_size": ("2",),
    "unroll": ("2", "True"),
    "count": ("4",),
    "padding": ("((1, 1), (1, 1))",),
}

# The operands of a function with neither a recipe nor a known parameter name, tried in this order.
PROFILES: Final = ("V", "S", "M", "I", "B", "X", "N", "T", "(V, V)", "Q", "C")

# Arguments by function.  Parameters that are not named keep their default.
RECIPES: Final[dict[str, str]] = {
    "jax.numpy.where": "condition=B, x=V, y=V",
    "jax.numpy.arange": "start=1, stop=7, step=2",
    "jax.numpy.array": "object=V",
    "jax.numpy.astype": "x=V, dtype=np.int32",
    "jax.numpy.apply_along_axis": "func1d=jnp.sum, axis=0, arr=M",
    "jax.numpy.apply_over_axes": "func=jnp.sum, a=M, axes=(0,)",
    "jax.numpy.bincount": "x=I",
    "jax.numpy.block": "arrays=[V, V]",
    "jax.numpy.broadcast_arrays": "args=(V, V)",
    "jax.numpy.broadcast_shapes": "shapes=((3, 1), (1, 4))",
    "jax.numpy.broadcast_to": "array=V, shape=(3, 4)",
    "jax.numpy.can_cast": "from_=np.int32, to=np.float32",
    "jax.numpy.choose": "a=np.array([0, 1, 1, 0]), choices=[V, V]",
    "jax.numpy.column_stack": "tup=(V, V)",
    "jax.numpy.compress": "condition=B, a=V",
    "jax.numpy.concat": "arrays=(V, V)",
    "jax.numpy.concatenate": "arrays=(V, V)",
    "jax.numpy.stack": "arrays=(V, V)",
    "jax.numpy.hstack": "tup=(V, V)",
    "jax.numpy.vstack": "tup=(V, V)",
    "jax.numpy.dstack": "tup=(V, V)",
    "jax.numpy.convolve": "a=V, v=V",
    "jax.numpy.cross": "a=np.ones(3), b=np.ones(3)",
    "jax.numpy.delete": "arr=V, obj=np.array([1, 2])",
    "jax.numpy.diag": "v=V",
    "jax.numpy.diagonal": "a=S",
    "jax.numpy.digitize": "x=V, bins=np.array([0., .5, 1.])",
    "jax.numpy.dsplit": "ary=T, indices_or_sections=2",
    "jax.numpy.hsplit": "ary=V, indices_or_sections=2",
    "jax.numpy.vsplit": "ary=np.ones((4, 2)), indices_or_sections=2",
    "jax.numpy.einsum": "subscripts='i,i->i', operands=(V, V)",
    "jax.numpy.einsum_path": "subscripts='i,i->i', operands=(V, V)",
    "jax.numpy.expand_dims": "a=V, axis=0",
    "jax.numpy.extract": "condition=B, arr=V",
    "jax.numpy.fill_diagonal": "a=S, val=X, inplace=False",
    "jax.numpy.flip": "m=V",
    "jax.numpy.fliplr": "m=M",
    "jax.numpy.flipud": "m=M",
    "jax.numpy.rot90": "m=M",
    "jax.numpy.fromfunction": "function=jnp.add, shape=(2, 2)",
    "jax.numpy.full": "shape=(4,), fill_value=0.5",
    "jax.numpy.full_like": "a=V, fill_value=0.5",
    "jax.numpy.geomspace": "start=1., stop=8.",
    "jax.numpy.linspace": "start=1., stop=8.",
    "jax.numpy.logspace": "start=1., stop=8.",
    "jax.numpy.gradient": "f=V",
    "jax.numpy.histogram": "a=V",
    "jax.numpy.histogram2d": "x=V, y=V",
    "jax.numpy.histogramdd": "sample=M",
    "jax.numpy.indices": "dimensions=(2, 3)",
    "jax.numpy.insert": "arr=V, obj=1, values=X",
    "jax.numpy.interp": "x=V, xp=np.arange(4.), fp=V",
    "jax.numpy.ix_": "args=(I, I)",
    "jax.numpy.lexsort": "keys=(V, V)",
    "jax.numpy.mask_indices": "n=3, mask_func=jnp.triu",
    "jax.numpy.meshgrid": "xi=(V, V)",
    "jax.numpy.moveaxis": "a=M, source=0, destination=1",
    "jax.numpy.rollaxis": "a=M, axis=1",
    "jax.numpy.swapaxes": "a=M, axis1=0, axis2=1",
    "jax.numpy.nanquantile": "a=V, q=0.5",
    "jax.numpy.nanpercentile": "a=V, q=50.",
    "jax.numpy.quantile": "a=V, q=0.5",
    "jax.numpy.percentile": "a=V, q=50.",
    "jax.numpy.nonzero": "a=I",
    "jax.numpy.packbits": "a=B",
    "jax.numpy.unpackbits": "a=np.array([1, 2], dtype=np.uint8)",
    "jax.numpy.pad": "array=V, pad_width=1",
    "jax.numpy.permute_dims": "a=M, axes=(1, 0)",
    "jax.numpy.transpose": "a=M, axes=(1, 0)",
    "jax.numpy.matrix_transpose": "x=M",
    "jax.numpy.piecewise": "x=V, condlist=[B, ~B], funclist=[0.5, 1.5]",
    "jax.numpy.place": "arr=V, mask=B, vals=V, inplace=False",
    "jax.numpy.put": "a=V, ind=I, v=V, inplace=False",
    "jax.numpy.put_along_axis": "arr=V, indices=I, values=V, axis=0, inplace=False",
    "jax.numpy.polyfit": "x=V, y=V, deg=1",
    "jax.numpy.promote_types": "a=np.int32, b=np.float32",
    "jax.numpy.issubdtype": "arg1=np.int32, arg2=np.integer",
    "jax.numpy.isdtype": "dtype=np.dtype('int32'), kind='integral'",
    "jax.numpy.ravel_multi_index": "multi_index=(I, I), dims=(4, 4)",
    "jax.numpy.unravel_index": "indices=I, shape=(2, 4)",
    "jax.numpy.repeat": "a=V, repeats=2",
    "jax.numpy.reshape": "a=V, shape=(2, 2)",
    "jax.numpy.resize": "a=V, new_shape=(2, 4)",
    "jax.numpy.result_type": "args=(V, V)",
    "jax.numpy.select": "condlist=[B, B], choicelist=[V, V]",
    "jax.numpy.split": "ary=V, indices_or_sections=2",
    "jax.numpy.array_split": "ary=V, indices_or_sections=2",
    "jax.numpy.squeeze": "a=np.ones((1, 4))",
    "jax.numpy.take": "a=V, indices=np.array([0, 1])",
    "jax.numpy.take_along_axis": "arr=V, indices=I, axis=0",
    "jax.numpy.tensordot": "a=S, b=S",
    "jax.numpy.tile": "A=V, reps=2",
    "jax.numpy.trace": "a=S",
    "jax.numpy.trapezoid": "y=V",
    "jax.numpy.tri": "N=3",
    "jax.numpy.eye": "N=3",
    "jax.numpy.identity": "n=3",
    "jax.numpy.tril": "m=S",
    "jax.numpy.triu": "m=S",
    "jax.numpy.tril_indices": "n=3",
    "jax.numpy.triu_indices": "n=3",
    "jax.numpy.tril_indices_from": "arr=S",
    "jax.numpy.triu_indices_from": "arr=S",
    "jax.numpy.trim_zeros": "filt=I",
    "jax.numpy.unstack": "x=M",
    "jax.numpy.vander": "x=V",
    "jax.numpy.vectorize": "pyfunc=jnp.sin",
    "jax.numpy.frompyfunc": "func=lambda x, y: x + y, nin=2, nout=1",
    "jax.numpy.dtype": "dtype='float32'",
    "jax.numpy.finfo": "dtype=np.float32",
    "jax.numpy.iinfo": "dtype=np.int32",
    "jax.numpy.vdot": "a=V, b=V",
    "jax.numpy.power": "x1=V, x2=2",
    "jax.numpy.float_power": "x=V, y=2.",
    "jax.numpy.roll": "a=V, shift=1",
    "jax.numpy.round": "a=V",
    "jax.numpy.clip": "arr=V, min=0.1, max=0.9",
    "jax.numpy.ldexp": "x1=V, x2=I",
    "jax.numpy.from_dlpack": "x=V",
    "jax.numpy.searchsorted": "a=V, v=X",
    "jax.numpy.union1d": "ar1=I, ar2=I",
    "jax.numpy.array_repr": "arr=V",
    "jax.numpy.array_str": "a=V",
    "jax.numpy.linalg.matrix_power": "a=S, n=2",
    "jax.numpy.linalg.multi_dot": "arrays=(S, S)",
    "jax.numpy.linalg.cross": "x1=np.ones(3), x2=np.ones(3)",
    "jax.numpy.linalg.lstsq": "a=S, b=np.ones(3)",
    "jax.numpy.linalg.solve": "a=S, b=np.ones((3, 1))",
    "jax.numpy.linalg.tensorinv": "a=np.eye(4).reshape(2, 2, 2, 2)",
    "jax.numpy.linalg.tensorsolve": "a=S, b=np.ones(3)",
    "jax.numpy.linalg.vecdot": "x1=V, x2=V",
    "jax.numpy.fft.fftfreq": "n=4",
    "jax.numpy.fft.rfftfreq": "n=4",
    "jax.lax.approx_max_k": "operand=V, k=2",
    "jax.lax.approx_min_k": "operand=V, k=2",
    "jax.lax.argmax": "operand=V, axis=0, index_dtype=np.int32",
    "jax.lax.argmin": "operand=V, axis=0, index_dtype=np.int32",
    "jax.lax.all_gather": "x=V, axis_name='i'",
    "jax.lax.all_to_all": "x=np.ones((2, 2)), axis_name='i', split_axis=0, concat_axis=0",
    "jax.lax.ppermute": "x=V, axis_name='i', perm=[(0, 1), (1, 0)]",
    "jax.lax.pshuffle": "x=V, axis_name='i', perm=[1, 0]",
    "jax.lax.pswapaxes": "x=np.ones((2, 2)), axis_name='i', axis=0",
    "jax.lax.psum_scatter": "x=np.ones((2, 2)), axis_name='i'",
    "jax.lax.associative_scan": "fn=jnp.add, elems=V",
    "jax.lax.bitcast_convert_type": "operand=V, new_dtype=np.int32",
    "jax.lax.broadcast": "operand=V, sizes=(2,)",
    "jax.lax.broadcast_in_dim": "operand=V, shape=(2, 4), broadcast_dimensions=(1,)",
    "jax.lax.broadcast_like": "arr=V, like_arr=M",
    "jax.lax.broadcast_shapes": "shapes=((3, 1), (1, 4))",
    "jax.lax.broadcast_to_rank": "x=V, rank=2",
    "jax.lax.broadcasted_iota": "dtype=np.int32, shape=(2, 3), dimension=0",
    "jax.lax.iota": "dtype=np.int32, size=4",
    "jax.lax.clamp": "min=0.1, x=V, max=0.9",
    "jax.lax.collapse": "operand=T, start_dimension=0, stop_dimension=2",
    "jax.lax.concatenate": "operands=(V, V), dimension=0",
    "jax.lax.stack": "operands=(V, V)",
    "jax.lax.cond": "pred=True, true_fun=jnp.sin, false_fun=jnp.cos, operands=(V,)",
    "jax.lax.switch": "index=0, branches=(jnp.sin, jnp.cos), operands=(V,)",
    "jax.lax.scan": "f=lambda c, x: (c + x, x), init=0.5, xs=V",
    "jax.lax.map": "f=jnp.sin, xs=V",
    "jax.lax.while_loop": "cond_fun=lambda c: c < 3., body_fun=lambda c: c + 1., init_val=0.5",
    "jax.lax.fori_loop": "lower=0, upper=3, body_fun=lambda i, c: c + 1., init_val=0.5",
    "jax.lax.reduce": "operands=V, init_values=0., computation=lax.add, dimensions=(0,)",
    "jax.lax.reduce_window": (
        "operand=V, init_value=0., computation=lax.add, window_dimensions=(2,), "
        "window_strides=(1,), padding='VALID'"
    ),
    "jax.lax.complex": "x=V, y=V",
    "jax.lax.conv": "lhs=Q, rhs=np.ones((2, 2, 3, 3)), window_strides=(1, 1), padding='SAME'",
    "jax.lax.conv_general_dilated": (
        "lhs=Q, rhs=np.ones((2, 2, 3, 3)), window_strides=(1, 1), padding='SAME', "
        "lhs_dilation=(1, 1), rhs_dilation=(1, 1), feature_group_count=1, batch_group_count=1"
    ),
    "jax.lax.conv_with_general_padding": (
        "lhs=Q, rhs=np.ones((2, 2, 3, 3)), window_strides=(1, 1), padding='SAME', "
        "lhs_dilation=(1, 1), rhs_dilation=(1, 1)"
    ),
    "jax.lax.conv_general_dilated_patches": (
        "lhs=Q, filter_shape=(2, 2), window_strides=(1, 1), padding='SAME'"
    ),
    "jax.lax.conv_general_dilated_local": (
        "lhs=Q, rhs=np.ones((3, 18, 4, 4)), window_strides=(1, 1), padding='SAME', "
        "filter_shape=(3, 3)"
    ),
    "jax.lax.conv_transpose": (
        "lhs=np.ones((1, 4, 4, 2)), rhs=np.ones((3, 3, 2, 2)), strides=(1, 1), padding='SAME'"
    ),
    "jax.lax.convert_element_type": "operand=V, new_dtype=np.int32",
    "jax.lax.reduce_precision": "operand=V, exponent_bits=5, mantissa_bits=10",
    "jax.lax.dot_general": "lhs=S, rhs=S, dimension_numbers=(((1,), (0,)), ((), ()))",
    "jax.lax.dynamic_index_in_dim": "operand=V, index=1",
    "jax.lax.dynamic_slice": "operand=V, start_indices=(0,), slice_sizes=(2,)",
    "jax.lax.dynamic_slice_in_dim": "operand=V, start_index=0, slice_size=2",
    "jax.lax.dynamic_update_index_in_dim": "operand=V, update=X, index=1, axis=0",
    "jax.lax.dynamic_update_slice": "operand=V, update=V[:2], start_indices=(1,)",
    "jax.lax.dynamic_update_slice_in_dim": "operand=V, update=V[:2], start_index=1, axis=0",
    "jax.lax.empty": "shape=(4,), dtype=np.float32",
    "jax.lax.expand_dims": "array=V, dimensions=(0,)",
    "jax.lax.full": "shape=(4,), fill_value=0.5",
    "jax.lax.full_like": "x=V, fill_value=0.5, shape=(2,)",
    "jax.lax.fft": "x=C, fft_type='FFT', fft_lengths=(4,)",
    "jax.lax.gather": (
        "operand=V, start_indices=np.array([[0], [1]]), dimension_numbers=lax."
        "GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,)), "
        "slice_sizes=(1,)"
    ),
    **{
        f"jax.lax.{name}": (
            "operand=V, scatter_indices=np.array([[0], [1]]), updates=V[:2], "
            "dimension_numbers=lax.ScatterDimensionNumbers(update_window_dims=(), "
            "inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))"
        )
        for name in _words("scatter scatter_add scatter_max scatter_min scatter_mul scatter_sub")
    },
    "jax.lax.index_in_dim": "operand=V, index=1",
    "jax.lax.index_take": "src=V, idxs=(np.array([0, 1]),), axes=(0,)",
    "jax.lax.integer_pow": "x=V, y=2",
    "jax.lax.pad": "operand=V, padding_value=np.float64(0.), padding_config=((1, 1, 0),)",
    "jax.lax.platform_dependent": "args=(V,), default=jnp.sin",
    "jax.lax.ragged_dot": "lhs=M, rhs=np.ones((2, 4, 5)), group_sizes=np.array([1, 2])",
    "jax.lax.reshape": "operand=V, new_sizes=(2, 2)",
    "jax.lax.rev": "operand=V, dimensions=(0,)",
    "jax.lax.rng_bit_generator": "key=np.zeros(4, np.uint32), shape=(4,)",
    "jax.lax.rng_uniform": "a=0., b=1., shape=(4,)",
    "jax.lax.select": "pred=B, on_true=V, on_false=V",
    "jax.lax.select_n": "which=B, cases=(V, V)",
    "jax.lax.slice": "operand=V, start_indices=(0,), limit_indices=(2,), strides=(1,)",
    "jax.lax.slice_in_dim": "operand=V, start_index=0, limit_index=2",
    "jax.lax.sort": "operand=V",
    "jax.lax.sort_key_val": "keys=V, values=V",
    "jax.lax.split": "operand=V, sizes=(1, 3)",
    "jax.lax.squeeze": "array=np.ones((1, 4)), dimensions=(0,)",
    "jax.lax.tile": "operand=V, reps=(2,)",
    "jax.lax.top_k": "operand=V, k=2",
    "jax.lax.transpose": "operand=M, permutation=(1, 0)",
    "jax.lax.unstack": "x=M",
    "jax.lax.polygamma": "m=V, x=V",
    "jax.lax.stop_gradient": "x=V",
    "jax.lax.optimization_barrier": "operand=V",
    "jax.lax.random_gamma_grad": "args=(V, V)",
    "jax.lax.custom_root": (
        "f=lambda x: x - 1., initial_guess=0.5, solve=lambda f, x: x, "
        "tangent_solve=lambda g, y: y / g(1.)"
    ),
    "jax.lax.custom_linear_solve": "matvec=lambda x: x, b=V, solve=lambda m, b: b",
    "jax.lax.linalg.cholesky_update": "r_matrix=S, w_vector=np.ones(3)",
    "jax.lax.linalg.lu_pivots_to_permutation": "pivots=np.array([0, 1, 2]), permutation_size=4",
    "jax.lax.linalg.triangular_solve": "a=S, b=S",
    "jax.lax.linalg.symmetric_product": "a_matrix=S, c_matrix=S",
    "jax.lax.linalg.householder_product": "a=S, taus=np.ones(3)",
    "jax.lax.linalg.ormqr": "a=S, taus=np.ones(3), c=S",
    "jax.lax.linalg.tridiagonal_solve": (
        "dl=np.ones(3, np.float32), d=np.ones(3, np.float32), du=np.ones(3, np.float32), "
        "b=np.ones((3, 1), np.float32)"
    ),
    "jax.random.ball": "key=KEY, d=3",
    "jax.random.choice": "key=KEY, a=V",
    "jax.random.permutation": "key=KEY, x=V",
    "jax.random.randint": "key=KEY, shape=(4,), minval=0, maxval=9",
    "jax.random.multivariate_normal": "key=KEY, mean=np.zeros(3), cov=S",
    "jax.random.multinomial": "key=KEY, n=4., p=np.array([.5, .5]), shape=(2,)",
    "jax.random.orthogonal": "key=KEY, n=3",
    "jax.random.truncated_normal": "key=KEY, lower=-1., upper=1.",
    "jax.random.binomial": "key=KEY, n=4., p=0.5",
    "jax.random.bernoulli": "key=KEY, p=0.5",
    "jax.random.categorical": "key=KEY, logits=V",
    "jax.random.dirichlet": "key=KEY, alpha=V",
    "jax.random.wrap_key_data": "key_bits_array=np.zeros(2, np.uint32)",
    "jax.random.generalized_normal": "key=KEY, p=2.",
    "jax.random.geometric": "key=KEY, p=0.5",
    "jax.random.triangular": "key=KEY, left=0., mode=0.5, right=1.",
    "jax.random.fold_in": "key=KEY, data=3",
    "jax.nn.dot_product_attention": (
        "query=np.ones((1, 4, 2, 4)), key=np.ones((1, 4, 2, 4)), value=np.ones((1, 4, 2, 4))"
    ),
    "jax.nn.one_hot": "x=I, num_classes=4",
    "jax.nn.scaled_matmul": "",
    "jax.nn.initializers.ones": "key=KEY, shape=(3, 4)",
    "jax.nn.initializers.zeros": "key=KEY, shape=(3, 4)",
    "jax.nn.initializers.variance_scaling": "scale=1., mode='fan_in', distribution='normal'",
    "jax.ops.segment_sum": "data=V, segment_ids=np.array([0, 0, 1, 2])",
    "jax.ops.segment_max": "data=V, segment_ids=np.array([0, 0, 1, 2])",
    "jax.ops.segment_min": "data=V, segment_ids=np.array([0, 0, 1, 2])",
    "jax.ops.segment_prod": "data=V, segment_ids=np.array([0, 0, 1, 2])",
    "jax.image.resize": "image=S, shape=(6, 6), method='linear'",
    "jax.image.scale_and_translate": (
        "image=S, shape=(6, 6), spatial_dims=(0, 1), scale=np.array([2., 2.]), "
        "translation=np.array([0., 0.]), method='linear'"
    ),
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
    "jax.debug.print": "fmt='{}', args=(V,)",
    "jax.debug.callback": "callback=lambda a: None, args=(V,)",
    "jax.scipy.special.sph_harm_y": "n=np.array([1]), m=np.array([0]), theta=X, phi=X, n_max=3",
    "jax.scipy.special.bessel_jn": "z=V, v=2",
    "jax.scipy.special.multigammaln": "a=V + 3., d=2",
    "jax.scipy.special.polygamma": "n=V, x=V",
    "jax.scipy.special.zeta": "x=V + 2., q=V",
    "jax.scipy.linalg.convolution_matrix": "a=V, n=4",
    "jax.scipy.linalg.eigh_tridiagonal": "d=V, e=V[:3], eigvals_only=True",
    "jax.scipy.special.lpmn": "m=2, n=2, z=V",
    "jax.scipy.special.lpmn_values": "m=2, n=2, z=V, is_normalized=True",
    "jax.scipy.special.logsumexp": "a=V",
    "jax.scipy.linalg.block_diag": "arrs=(S, S)",
    "jax.scipy.linalg.cho_solve": "c_and_lower=(S, True), b=np.ones(3)",
    "jax.scipy.linalg.lu_solve": "lu_and_piv=(S, np.array([0, 1, 2])), b=np.ones(3)",
    "jax.scipy.linalg.hilbert": "n=3",
    "jax.scipy.linalg.pascal": "n=3",
    "jax.scipy.linalg.solve_sylvester": "A=S, B=S, C=S",
    "jax.scipy.linalg.solve": "a=S, b=np.ones(3)",
    "jax.scipy.linalg.solve_triangular": "a=S, b=np.ones(3)",
    "jax.scipy.linalg.toeplitz": "c=V",
    "jax.scipy.signal.convolve": "in1=V, in2=V",
    "jax.scipy.signal.convolve2d": "in1=S, in2=S",
    "jax.scipy.signal.correlate": "in1=V, in2=V",
    "jax.scipy.signal.correlate2d": "in1=S, in2=S",
    "jax.scipy.signal.istft": "Zxx=np.ones((3, 4), complex), nperseg=4",
    "jax.scipy.signal.stft": "x=np.ones(16), nperseg=4",
    "jax.scipy.signal.welch": "x=np.ones(16), nperseg=4",
    "jax.scipy.signal.csd": "x=np.ones(16), y=np.ones(16), nperseg=4",
    "jax.scipy.ndimage.map_coordinates": "input=S, coordinates=[V, V], order=1",
    "jax.scipy.cluster.vq.vq": "obs=M, code_book=M",
    "jax.scipy.integrate.trapezoid": "y=V",
    "jax.scipy.optimize.minimize": "fun=lambda x: jnp.sum(x * x), x0=V, method='BFGS'",
    "jax.scipy.sparse.linalg.cg": "A=S, b=np.ones(3)",
    "jax.scipy.sparse.linalg.gmres": "A=S, b=np.ones(3)",
    "jax.scipy.sparse.linalg.bicgstab": "A=S, b=np.ones(3)",
    "jax.scipy.stats.mode": "a=V",
    "jax.scipy.stats.multivariate_normal.logpdf": "x=np.zeros(3), mean=np.zeros(3), cov=S",
    "jax.scipy.stats.multivariate_normal.pdf": "x=np.zeros(3), mean=np.zeros(3), cov=S",
    "jax.device_put": "x=V",
    "jax.device_get": "x=V",
    "jax.block_until_ready": "x=V",
    "jax.typeof": "x=V",
    "jax.eval_shape": "fun=jnp.sin, args=(V,)",
    "jax.pure_callback": (
        "callback=lambda a: a, result_shape_dtypes=jax.ShapeDtypeStruct((4,), np.float32), "
        "args=(V,)"
    ),
    "jax.devices": "",
    "jax.local_devices": "",
    "jax.device_count": "",
    "jax.local_device_count": "",
    "jax.process_index": "",
    "jax.process_count": "",
    "jax.default_backend": "",
    "jax.make_jaxpr": "fun=jnp.sin",
    "jax.named_scope": "name='a'",
    "jax.ShapeDtypeStruct": "shape=(4,), dtype=np.float32",
    "jax.dtypes.issubdtype": "a=np.int32, b=np.integer",
    "jax.dtypes.canonicalize_dtype": "dtype=np.float32",
    "jax.dtypes.result_type": "args=(V, V)",
    "jax.dtypes.scalar_type_of": "x=V",
    "jax.Array.reshape": "self=V, args=(2, 2)",
    "jax.Array.transpose": "self=M, args=(1, 0)",
    "jax.Array.astype": "self=V, dtype=np.int32",
    "jax.Array.choose": "self=np.array([0, 1, 1, 0]), choices=[V, V]",
    "jax.Array.compress": "self=V, condition=B",
    "jax.Array.repeat": "self=V, repeats=2",
    "jax.Array.squeeze": "self=np.ones((1, 4))",
    "jax.Array.swapaxes": "self=M, axis1=0, axis2=1",
    "jax.Array.diagonal": "self=S",
    "jax.Array.trace": "self=S",
    "jax.Array.dot": "self=V, b=V",
    "jax.Array.clip": "self=V, min=0.1, max=0.9",
    "jax.Array.searchsorted": "self=V, v=X",
    "jax.Array.take": "self=V, indices=np.array([0, 1])",
    "jax.Array.__getitem__": "self=V, idx=1",
    "jax.Array.item": "self=X",
    "jax.Array.nonzero": "self=I",
    "jax.Array.view": "self=V, dtype=np.int32",
    "numpy.array_split": "ary=V, indices_or_sections=2",
    "numpy.split": "ary=V, indices_or_sections=2",
    "numpy.hsplit": "ary=V, indices_or_sections=2",
    "numpy.vsplit": "ary=S, indices_or_sections=3",
    "numpy.dsplit": "ary=T, indices_or_sections=2",
    "numpy.where": "condition=B, x=V, y=V",
    "numpy.arange": "start_or_stop=4",
    "numpy.full": "shape=(4,), fill_value=0.5",
    "numpy.zeros": "shape=(4,)",
    "numpy.ones": "shape=(4,)",
    "numpy.empty": "shape=(4,)",
    "numpy.reshape": "a=V, shape=(2, 2)",
    "numpy.broadcast_to": "array=V, shape=(3, 4)",
    "numpy.transpose": "a=M",
    "numpy.swapaxes": "a=M, axis1=0, axis2=1",
    "numpy.moveaxis": "a=M, source=0, destination=1",
    "numpy.squeeze": "a=np.ones((1, 4))",
    "numpy.expand_dims": "a=V, axis=0",
    "numpy.diagonal": "a=S",
    "numpy.trace": "a=S",
    "numpy.take": "a=V, indices=np.array([0, 1])",
    "numpy.take_along_axis": "arr=V, indices=np.array([0, 1, 2, 3]), axis=0",
    "numpy.choose": "a=np.array([0, 1, 1, 0]), choices=[V, V]",
    "numpy.compress": "condition=B, a=V",
    "numpy.repeat": "a=V, repeats=2",
    "numpy.clip": "a=V, a_min=0.1, a_max=0.9",
    "numpy.concatenate": "arrays=(V, V)",
    "numpy.concat": "arrays=(V, V)",
    "numpy.stack": "arrays=(V, V)",
    "numpy.hstack": "tup=(V, V)",
    "numpy.vstack": "tup=(V, V)",
    "numpy.dstack": "tup=(V, V)",
    "numpy.column_stack": "tup=(V, V)",
    "numpy.block": "arrays=[V, V]",
    "numpy.cross": "a=np.ones(3), b=np.ones(3)",
    "numpy.meshgrid": "xi=(V, V)",
    "numpy.ix_": "args=(I, I)",
    "numpy.broadcast_arrays": "args=(V, V)",
    "numpy.broadcast_shapes": "args=((3, 1), (1, 4))",
    "numpy.result_type": "arrays_and_dtypes=(V, V)",
    "numpy.can_cast": "from_=np.int32, to=np.float32",
    "numpy.issubdtype": "arg1=np.int32, arg2=np.integer",
    "numpy.select": "condlist=[B, B], choicelist=[V, V]",
    "numpy.piecewise": "x=V, condlist=[B, ~B], funclist=[0.5, 1.5]",
    "numpy.apply_along_axis": "func1d=np.sum, axis=0, arr=M",
    "numpy.vectorize": "pyfunc=math.sin",
    "numpy.interp": "x=V, xp=np.arange(4.), fp=V",
    "numpy.bincount": "x=I",
    "numpy.eye": "N=3",
    "numpy.tri": "N=3",
    "numpy.identity": "n=3",
    "numpy.pad": "array=V, pad_width=1",
    "numpy.insert": "arr=V, obj=1, values=X",
    "numpy.unravel_index": "indices=I, shape=(2, 4)",
    "numpy.ravel_multi_index": "multi_index=(I, I), dims=(4, 4)",
    "numpy.put": "a=V.copy(), ind=I, v=V",
    "numpy.place": "arr=V.copy(), mask=B, vals=V",
    "numpy.copyto": "dst=V.copy(), src=V",
    "numpy.fill_diagonal": "a=S.copy(), val=X",
    "numpy.isin": "element=V, test_elements=V",
    "numpy.round": "a=V",
    "numpy.random.choice": "a=V",
    "numpy.linalg.matrix_power": "a=S, n=2",
    "numpy.linalg.norm": "x=V",
    "numpy.linalg.solve": "a=S, b=np.ones(3)",
    "scipy.linalg.cho_solve": "c_and_lower=(S, True), b=np.ones(3)",
    "scipy.linalg.lu_solve": "lu_and_piv=(S, np.array([0, 1, 2])), b=np.ones(3)",
    "scipy.linalg.solve": "a=S, b=np.ones(3)",
    "scipy.linalg.block_diag": "arrs=(S, S)",
    "scipy.interpolate.interp1d": "x=np.arange(4.), y=V",
    "scipy.interpolate.CubicSpline": "x=np.arange(4.), y=V",
    "scipy.integrate.quad": "func=math.sin, a=0., b=1.",
    "scipy.integrate.solve_ivp": "fun=lambda t, y: -y, t_span=(0., 1.), y0=V",
    "scipy.integrate.odeint": "func=lambda y, t: -y, y0=V, t=np.arange(4.)",
    "scipy.optimize.minimize": "fun=lambda x: (x * x).sum(), x0=V",
    "scipy.optimize.root": "fun=lambda x: x - 1., x0=V",
    "scipy.optimize.fsolve": "func=lambda x: x - 1., x0=V",
    "scipy.optimize.linear_sum_assignment": "cost_matrix=S",
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
    "jax.scipy.linalg.cho_solve": "array",
    **dict.fromkeys(
        (
            "jax.block_until_ready",
            "jax.device_get",
            "jax.device_put",
            "jax.lax.optimization_barrier",
            "jax.lax.stop_gradient",
            "jax.lax.with_sharding_constraint",
            "jax.lax.pvary",
            "jax.lax.pcast",
            "jax.reshard",
        ),
        "operand",
    ),
    **dict.fromkeys(
        (
            "jax.lax.associative_scan",
            "jax.lax.cond",
            "jax.lax.custom_linear_solve",
            "jax.lax.custom_root",
            "jax.lax.fori_loop",
            "jax.lax.map",
            "jax.lax.platform_dependent",
            "jax.lax.reduce",
            "jax.lax.reduce_window",
            "jax.lax.scan",
            "jax.lax.sort",
            "jax.lax.switch",
            "jax.lax.while_loop",
            "jax.pure_callback",
            *(
                f"jax.lax.{name}"
                for name in _words(
                    "all_gather all_to_all pmax pmean pmin ppermute pshuffle psum psum_scatter "
                    "pswapaxes"
                )
            ),
            *(
                f"jax.{prefix}{name}"
                for prefix in ("tree.", "tree_util.tree_")
                for name in _words(
                    "broadcast flatten flatten_with_path leaves_with_path map map_with_path reduce "
                    "reduce_associative transpose unflatten"
                )
            ),
            "jax.scipy.optimize.minimize",
            "jax.scipy.sparse.linalg.bicgstab",
            "jax.scipy.sparse.linalg.cg",
            "jax.scipy.sparse.linalg.gmres",
        ),
        "tree",
    ),
    # A tree of Python booleans may hold tracers, of which it asks the truth.
    "jax.tree.all": "static",
    "jax.tree_util.tree_all": "static",
    "jax.tree.leaves": "array_list",
    "jax.tree_util.tree_leaves": "array_list",
    "jax.numpy.apply_along_axis": "unknown",
    "jax.numpy.apply_over_axes": "array",
    "jax.numpy.fromfunction": "unknown",
    "jax.numpy.vectorize": "callable",
    "jax.numpy.frompyfunc": "callable",
    "jax.numpy.fft.fftfreq": "array",
    "jax.make_jaxpr": "callable",
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
    "builtins.abs": ("abs(x)", "X"),
    "builtins.all": ("all([x, x])", "XV"),
    "builtins.any": ("any([x, x])", "XV"),
    "builtins.ascii": ("ascii(x)", "X"),
    "builtins.bin": ("bin(x)", "NX"),
    "builtins.bool": ("bool(x)", "XV"),
    "builtins.bytearray": ("bytearray(x)", "N"),
    "builtins.bytes": ("bytes(x)", "N"),
    "builtins.callable": ("callable(x)", "X"),
    "builtins.chr": ("chr(x)", "NX"),
    "builtins.complex": ("complex(x)", "XV"),
    "builtins.dict.fromkeys": ("dict.fromkeys([x])", "X"),
    "builtins.divmod": ("divmod(x, 2)", "X"),
    "builtins.enumerate": ("enumerate(x)", "V"),
    "builtins.filter": ("list(filter(None, [x, x]))", "XV"),
    "builtins.float": ("float(x)", "XV"),
    "builtins.format": ("format(x)", "X"),
    "builtins.format(format_spec)": ("format(x, '.2f')", "X"),
    "builtins.frozenset": ("frozenset([x])", "X"),
    "builtins.getattr": ("getattr(x, 'shape')", "V"),
    "builtins.hasattr": ("hasattr(x, 'shape')", "X"),
    "builtins.hash": ("hash(x)", "X"),
    "builtins.hex": ("hex(x)", "NX"),
    "builtins.id": ("id(x)", "X"),
    "builtins.int": ("int(x)", "XV"),
    "builtins.isinstance": ("isinstance(x, float)", "X"),
    "builtins.issubclass": ("issubclass(type(x), float)", "X"),
    "builtins.iter": ("iter(x)", "V"),
    "builtins.len": ("len(x)", "V"),
    "builtins.list": ("list(x)", "V"),
    "builtins.map": ("map(abs, x)", "V"),
    "builtins.max": ("max(x, 1)", "XV"),
    "builtins.min": ("min(x, 1)", "XV"),
    "builtins.next": ("next(iter(x))", "V"),
    "builtins.oct": ("oct(x)", "NX"),
    "builtins.pow": ("pow(x, 2)", "X"),
    "builtins.print": ("print(x, file=io.StringIO())", "X"),
    "builtins.range": ("range(x)", "NX"),
    "builtins.repr": ("repr(x)", "X"),
    "builtins.reversed": ("reversed(x)", "V"),
    "builtins.round": ("round(x)", "X"),
    "builtins.set": ("set([x])", "X"),
    "builtins.slice": ("slice(x)", "N"),
    "builtins.sorted": ("sorted([x, x])", "XV"),
    "builtins.str": ("str(x)", "X"),
    "builtins.sum": ("sum(x)", "V"),
    "builtins.tuple": ("tuple(x)", "V"),
    "builtins.type": ("type(x)", "X"),
    "builtins.zip": ("zip(x, x)", "V"),
    "copy.copy": ("copy.copy(x)", "V"),
    "copy.deepcopy": ("copy.deepcopy(x)", "V"),
    "datetime.timedelta": ("datetime.timedelta(x)", "NX"),
    "decimal.Decimal": ("decimal.Decimal(x)", "XN"),
    "fractions.Fraction": ("fractions.Fraction(x)", "XN"),
    "json.dump": ("json.dump(x, io.StringIO())", "X"),
    "json.dumps": ("json.dumps(x)", "X"),
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
    "operator.index": ("operator.index(x)", "NX"),
    "operator.indexOf": ("operator.indexOf([0, 1], x)", "XV"),
    "operator.is_": ("operator.is_(x, None)", "X"),
    "operator.is_not": ("operator.is_not(x, None)", "X"),
    "operator.length_hint": ("operator.length_hint(x)", "V"),
    "operator.not_": ("operator.not_(x)", "XV"),
    "operator.truth": ("operator.truth(x)", "XV"),
    "pickle.dumps": ("pickle.dumps(x)", "X"),
    "random.choice": ("random.choice(x)", "V"),
    "random.choices": ("random.choices([1, 2], k=x)", "N"),
    "random.gauss": ("random.gauss(0., x)", "X"),
    "random.expovariate": ("random.expovariate(x)", "X"),
    "random.normalvariate": ("random.normalvariate(0., x)", "X"),
    "random.randint": ("random.randint(0, x)", "NX"),
    "random.randrange": ("random.randrange(x)", "NX"),
    "random.sample": ("random.sample([1, 2, 3], x)", "N"),
    "random.seed": ("random.seed(x)", "NX"),
    "random.shuffle": ("random.shuffle(x)", "V"),
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
    "time.sleep": ("time.sleep(x)", "NX"),
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
