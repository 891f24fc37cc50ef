"""Entry points of the frameworks that take callables, with programs that exercise them.

Each row of ``TRANSFORMS`` has the callables in a small language, ``INDEX name: what it is called
with``, separated by semicolons (``-`` for a keyword-only one, ``name[]`` for a sequence of
callables), then properties, and under ``setup`` and ``call`` two programs for the probe.  There
``R(name, function)`` marks a callable whose arguments and executions are recorded; ``call`` runs
twice, so that a second execution shows whether the trace is cached.  The names that samples may
mention are those of :mod:`tools.probes.framework_samples`.  A row without ``call`` was read in
the documentation and not run.
"""

from __future__ import annotations

from typing import Any

Spec = dict[str, Any]


def _row(functions: str, traced: str, call: str = "", setup: str = "", **properties: Any) -> Spec:
    return {"functions": functions, "traced": traced, "setup": setup, "call": call, **properties}


_F = "lambda x, y: (x * y).sum()"


def _wrapper(function: str, parameter: str, traced: str, **properties: Any) -> Spec:
    """The row of what wraps a callable, called with an array and a number."""
    return _row(
        f"0 {parameter}: *args **kwargs",
        traced,
        "g(V, 2.0)",
        f"g = {function}(R('{parameter}', {_F}))",
        **properties,
    )


_ARGS = "0 fun: *args **kwargs"
_ARGS_F = "0 f: *args **kwargs"
_JIT = "static_argnums static_argnames"


def _linen(body: str) -> str:
    """The text of a module whose ``__call__`` returns ``body``."""
    return (
        "class Inner(nn.Module):\n"
        "    @nn.compact\n"
        "    def __call__(self, x):\n"
        "        return x * self.param('w', nn.initializers.ones, ())\n"
        "    def unused(self): pass\n"
        "class Net(nn.Module):\n"
        "    @nn.compact\n"
        "    def __call__(self, x):\n"
        f"        {body}\n"
        "net = Net()\n"
        "variables = net.init(K, V)\n"
        "RESET()"
    )


def _in_haiku(functions: str, traced: str, setup: str, call: str, **properties: Any) -> Spec:
    """The row of what is called within a transformed function."""
    setup = f"{setup}\nh = lambda: {call}"
    return _row(functions, traced, "hk.transform(h).apply({}, K)", setup, **properties)


_APPLY = "net.apply(variables, V)"
_MODEL = "model = nnx.Linear(4, 4, rngs=nnx.Rngs(0))"

TRANSFORMS: dict[str, Spec] = {
    # equinox
    "equinox.filter_jit": _wrapper("eqx.filter_jit", "fun", "arrays", factory=True),
    "equinox.filter_vmap": _wrapper(
        "eqx.filter_vmap", "fun", "arrays", factory=True, selected_by="in_axes",
    ),
    "equinox.filter_pmap": _row(
        _ARGS, "arrays", "g(V[None], 2.0)", f"g = eqx.filter_pmap(R('fun', {_F}))", factory=True,
        selected_by="in_axes",
    ),
    "equinox.filter_grad": _wrapper(
        "eqx.filter_grad", "fun", "first", factory=True,
        note="only inexact arrays of the first argument are traced",
    ),
    "equinox.filter_value_and_grad": _wrapper(
        "eqx.filter_value_and_grad", "fun", "first", factory=True,
        note="only inexact arrays of the first argument are traced",
    ),
    "equinox.filter_jvp": _row(
        "0 fn: *operands", "arrays", "eqx.filter_jvp(f, (V, V), (V, V))", f"f = R('fn', {_F})",
        gives="result", note="the callable gets the items of primals",
    ),
    "equinox.filter_vjp": _row(
        "0 fun: *operands", "arrays", "eqx.filter_vjp(f, V, V)", f"f = R('fun', {_F})",
        gives="result",
    ),
    "equinox.filter_hessian": _wrapper("eqx.filter_hessian", "fun", "first"),
    "equinox.filter_jacfwd": _wrapper("eqx.filter_jacfwd", "fun", "first"),
    "equinox.filter_jacrev": _wrapper("eqx.filter_jacrev", "fun", "first"),
    "equinox.filter_checkpoint": _wrapper("eqx.filter_checkpoint", "fun", "arrays", factory=True),
    "equinox.filter_closure_convert": _row(
        "0 fn: *args **kwargs", "arrays", "eqx.filter_closure_convert(f, V, 2.0)",
        f"f = R('fn', {_F})", gives="result", note="gives the converted callable",
    ),
    "equinox.filter_eval_shape": _row(
        _ARGS, "arrays", "eqx.filter_eval_shape(f, V, 2.0)", f"f = R('fun', {_F})", gives="result"
    ),
    "equinox.filter_make_jaxpr": _wrapper("eqx.filter_make_jaxpr", "fun", "arrays"),
    "equinox.filter_pure_callback": _row(
        "0 callback: *args **kwargs", "none",
        "eqx.filter_pure_callback(f, V, 2.0, result_shape_dtypes=V)",
        "f = R('callback', lambda x, y: np.asarray(x) * y)", gives="result", host=True,
    ),
    "equinox.filter_custom_jvp": _row(
        "0 fn: *args **kwargs", "none", "g(V, y=2.0)",
        "g = eqx.filter_custom_jvp(R('fn', lambda x, *, y: (x * y).sum()))\n"
        "g.def_jvp(lambda primals, tangents, *, y: (primals[0].sum(), tangents[0].sum()))",
        note="the rule given to def_jvp gets (primals, tangents, **kwargs)",
    ),
    "equinox.filter_custom_vjp": _row(
        "0 fn: vjp_arg *args **kwargs", "none", "g(V, 2.0)",
        f"g = eqx.filter_custom_vjp(R('fn', {_F}))\n"
        "g.def_fwd(lambda perturbed, x, y: ((x * y).sum(), x))\n"
        "g.def_bwd(lambda residuals, grad, perturbed, x, y: residuals)",
        note="def_fwd gets (perturbed, vjp_arg, *args), def_bwd (residuals, grad_obj, perturbed,"
        " vjp_arg, *args)",
    ),
    "equinox.Partial": _row(
        "0 func: *args **kwargs", "none", "g(V)", f"g = eqx.Partial(R('func', {_F}), V)"
    ),
    "equinox.tree_at": _row(
        "0 where: tree; 3 replace_fn: x", "none", "eqx.tree_at(f, P, replace_fn=g)",
        "f = lambda t: t['w']\ng = R('replace_fn', lambda x: x)", gives="result",
        note="where gets a copy of the tree whose leaves are placeholders",
    ),
    "equinox.debug.assert_max_traces": _row(
        "0 fn: *args **kwargs", "none", "g(V, 2.0)",
        f"g = eqx.debug.assert_max_traces(R('fn', {_F}), max_traces=5)", factory=True,
    ),
    "equinox.internal.while_loop": _row(
        "0 cond_fun: carry; 1 body_fun: carry", "operands",
        "eqx.internal.while_loop(f, g, N, max_steps=8, kind='bounded')",
        "f = R('cond_fun', lambda c: c < 3)\ng = R('body_fun', lambda c: c + 1)", gives="result",
    ),
    "equinox.internal.scan": _row(
        "0 f: carry x", "operands", "eqx.internal.scan(f, S, V, kind='lax')",
        "f = R('f', lambda c, x: (c + x, x))", gives="result",
    ),
    "equinox.internal.noinline": _wrapper("eqx.internal.noinline", "fn", "unknown"),
    # flax.linen
    "flax.linen.jit": _row(
        "0 target: module *args **kwargs", "variables", _APPLY,
        _linen("return nn.jit(R('target', lambda m, x: x * 2))(self, x)"), static_by=_JIT,
        takes_class=True,
        note="static_argnums counts the module as argument 0",
    ),
    "flax.linen.vmap": _row(
        "0 target: module *args", "selected", _APPLY,
        _linen("return nn.vmap(R('target', lambda m, x: x * 2), in_axes=0)(self, x)"),
        selected_by="in_axes", takes_class=True,
    ),
    "flax.linen.scan": _row(
        "0 target: module carry *x", "operands", _APPLY,
        _linen("return nn.scan(R('target', lambda m, c, x: (c + x, x)))(self, x[0], x)"),
        takes_class=True, note="the result is called with (module, carry, *xs)",
    ),
    "flax.linen.remat": _row(
        "0 target: module *args", "variables", _APPLY,
        _linen("return nn.remat(R('target', lambda m, x: x * 2))(self, x)"),
        static_by="static_argnums", takes_class=True,
        note="static_argnums counts the module as argument 0",
    ),
    "flax.linen.checkpoint": _row(
        "0 target: module *args", "variables", _APPLY,
        _linen("return nn.checkpoint(R('target', lambda m, x: x * 2))(self, x)"),
        static_by="static_argnums", takes_class=True,
        note="static_argnums counts the module as argument 0",
    ),
    "flax.linen.remat_scan": _row(
        "0 target: module carry", "operands", _APPLY,
        _linen("return nn.remat_scan(R('target', lambda m, x: x * 2), lengths=(2,))(self, x)"),
        takes_class=True,
    ),
    "flax.linen.while_loop": _row(
        "0 cond_fn: module carry; 1 body_fn: module carry", "operands", _APPLY,
        _linen(
            "return nn.while_loop(R('cond_fn', lambda m, c: c[0] < 3),"
            " R('body_fn', lambda m, c: c + 1), self, x)"
        ),
        gives="result",
    ),
    "flax.linen.cond": _row(
        "1 true_fun: module *operands; 2 false_fun: module *operands", "operands", _APPLY,
        _linen(
            "return nn.cond(x[0] > 0, R('true_fun', lambda m, c: c + 1),"
            " R('false_fun', lambda m, c: c), self, x)"
        ),
        gives="result",
    ),
    "flax.linen.switch": _row(
        "1 branches[]: module *operands", "operands", _APPLY,
        _linen(
            "return nn.switch(jnp.argmax(x), [R('branches', lambda m, c: c + 1),"
            " R('branches', lambda m, c: c)], self, x)"
        ),
        gives="result",
    ),
    "flax.linen.custom_vjp": _row(
        "0 fn: module *args; 1 forward_fn: module *args; 2 backward_fn: residuals cotangents",
        "none", _APPLY,
        _linen(
            "return nn.custom_vjp(R('fn', lambda m, x: x * 2), lambda m, x: (x * 2, ()),"
            " lambda r, t: t)(self, x)"
        ),
        static_by="nondiff_argnums",
    ),
    "flax.linen.grad": _row(
        "0 fn: module *operands", "operands", _APPLY,
        _linen(
            "m = Inner()\n        m(x)\n        nn.grad(R('fn', lambda m, x: m(x).sum()), m, x)\n"
            "        return x"
        ),
        gives="result",
    ),
    "flax.linen.value_and_grad": _row(
        "0 fn: module *operands", "operands", _APPLY,
        _linen(
            "m = Inner()\n        m(x)\n"
            "        nn.value_and_grad(R('fn', lambda m, x: m(x).sum()), m, x)\n        return x"
        ),
        gives="result",
    ),
    "flax.linen.jvp": _row(
        "0 fn: module *operands", "operands", _APPLY,
        _linen(
            "m = Inner()\n        m(x)\n"
            "        return nn.jvp(R('fn', lambda m, x: m(x)), m, (x,), (x,),"
            " {'params': m.variables['params']})[0]"
        ),
        gives="result",
    ),
    "flax.linen.vjp": _row(
        "0 fn: module *operands", "operands", _APPLY,
        _linen(
            "m = Inner()\n        m(x)\n"
            "        return nn.vjp(R('fn', lambda m, x: m(x)), m, x)[0]"
        ),
        gives="result",
    ),
    "flax.linen.map_variables": _row(
        "0 target: module *args **kwargs; 2 trans_in_fn: tree; 3 trans_out_fn: tree", "none",
        _APPLY,
        _linen(
            "m = Inner()\n        return nn.map_variables(R('target', lambda m, x: m(x)),"
            " 'params', R('trans_in_fn', lambda v: v), lambda v: v, init=True)(m, x)"
        ),
        takes_class=True,
    ),
    "flax.linen.fold_rngs": _row(
        "0 target: module *args **kwargs", "none", _APPLY,
        _linen("return nn.fold_rngs(R('target', lambda m, x: x * 2))(self, x)"), takes_class=True,
    ),
    "flax.linen.add_metadata_axis": _row(
        "0 target: module *args **kwargs", "none", _APPLY,
        _linen("return nn.add_metadata_axis(R('target', lambda m, x: x * 2))(self, x)"),
        takes_class=True,
    ),
    "flax.linen.named_call": _row("0 class_fn: module *args **kwargs", "none"),
    "flax.linen.compact": _row("0 fun: module *args **kwargs", "none"),
    "flax.linen.nowrap": _row("0 fun: module *args **kwargs", "none"),
    "flax.linen.intercept_methods": _row(
        "0 interceptor: next_fun args kwargs context", "none", gives="context"
    ),
    "flax.linen.apply": _row(
        "0 fn: module *args **kwargs", "none", "g({}, V)",
        "g = nn.apply(R('fn', lambda m, x: x), nn.Dense(4))",
        note="the result is called with (variables, *args, rngs=, **kwargs)",
    ),
    "flax.linen.init": _row(
        "0 fn: module *args **kwargs", "none", "g(K, V)",
        "g = nn.init(R('fn', lambda m, x: x), nn.Dense(4))",
        note="the result is called with (rngs, *args, **kwargs)",
    ),
    "flax.linen.init_with_output": _row(
        "0 fn: module *args **kwargs", "none", "g(K, V)",
        "g = nn.init_with_output(R('fn', lambda m, x: x), nn.Dense(4))",
        note="the result is called with (rngs, *args, **kwargs)",
    ),
    "flax.linen.Module.init": _row(
        "- method: module *args **kwargs", "none", "nn.Dense(4).init(K, V, method=f)",
        "f = R('method', lambda m, x: x)", gives="result",
        note="runs __call__ when method is not given; *args follow rngs",
    ),
    "flax.linen.Module.init_with_output": _row(
        "- method: module *args **kwargs", "none", "nn.Dense(4).init_with_output(K, V, method=f)",
        "f = R('method', lambda m, x: x)", gives="result",
        note="runs __call__ when method is not given; *args follow rngs",
    ),
    "flax.linen.Module.lazy_init": _row(
        "- method: module *args **kwargs", "none", "nn.Dense(4).lazy_init(K, V, method=f)",
        "f = R('method', lambda m, x: x)", gives="result",
        note="runs __call__ when method is not given; *args follow rngs",
    ),
    "flax.linen.Module.apply": _row(
        "- method: module *args **kwargs", "none", "nn.Dense(4).apply({}, V, method=f)",
        "f = R('method', lambda m, x: x)", gives="result",
        note="runs __call__ when method is not given; *args follow variables",
    ),
    "flax.linen.Module.param": _row(
        "1 init_fn: rng *args **kwargs", "none", _APPLY + "\nnet.init(K, V)",
        _linen("return x * self.param('s', R('init_fn', lambda k: jnp.ones(())))"),
        gives="result",
        note="apply runs it once more under eval_shape to compare shapes; rng is a key",
    ),
    "flax.linen.Module.variable": _row(
        "2 init_fn: *args **kwargs", "none", "net.init(K, V)",
        _linen("return x * self.variable('s', 's', R('init_fn', lambda: V[0])).value"),
        gives="result",
    ),
    "flax.linen.Module.sow": _row(
        "- reduce_fn: previous value; - init_fn:", "none", gives="result"
    ),
    "flax.linen.tabulate": _row("", "leaves", gives="callable", abstract=True,
        note="runs the module's __call__ under eval_shape"),
    "flax.linen.Module.tabulate": _row("", "leaves", gives="result", abstract=True,
        note="runs __call__ under eval_shape"),
    # flax.nnx
    "flax.nnx.jit": _wrapper(
        "nnx.jit", "fun", "leaves", static_by=_JIT, factory=True,
        note="Variables of modules are traced, their Python attributes are static",
    ),
    "flax.nnx.jit_partial": _row(
        "0 fun: *args **kwargs", "leaves", "g(2.0)",
        f"g = nnx.jit_partial(R('fun', {_F}), V, graph_updates=False)",
        static_by=_JIT,
    ),
    "flax.nnx.vmap": _row(
        _ARGS_F, "selected", "g(V, V)", f"g = nnx.vmap(R('f', {_F}), in_axes=(0, 0))",
        selected_by="in_axes", factory=True,
    ),
    "flax.nnx.pmap": _row(
        _ARGS_F, "leaves", "g(V[None], V[None])", f"g = nnx.pmap(R('f', {_F}), in_axes=(0, 0))",
        static_by="static_broadcasted_argnums", factory=True,
    ),
    "flax.nnx.shard_map": _row(
        _ARGS_F, "leaves", "g(V, V)",
        "mesh = jax.make_mesh((1,), ('d',), axis_types=(jax.sharding.AxisType.Auto,))\n"
        "spec = jax.sharding.PartitionSpec('d')\n"
        "g = nnx.shard_map(R('f', lambda x, y: x * y), mesh=mesh, in_specs=(spec, spec),"
        " out_specs=spec)",
        factory=True,
    ),
    "flax.nnx.grad": _wrapper("nnx.grad", "f", "selected", selected_by="argnums", factory=True),
    "flax.nnx.value_and_grad": _wrapper(
        "nnx.value_and_grad", "f", "selected", selected_by="argnums", factory=True,
    ),
    "flax.nnx.scan": _row(
        "0 f: carry *x", "operands", "g(S, V)", "g = nnx.scan(R('f', lambda c, x: (c + x, x)))",
        selected_by="in_axes", factory=True,
        note="in_axes=(Carry, 0) by default; which argument is the carry follows from in_axes",
    ),
    "flax.nnx.remat": _wrapper(
        "nnx.remat", "f", "leaves", static_by="static_argnums", factory=True,
    ),
    "flax.nnx.cond": _row(
        "1 true_fun: *operands; 2 false_fun: *operands", "operands",
        "nnx.cond(True, f, g, V)",
        "f = R('true_fun', lambda x: x)\ng = R('false_fun', lambda x: x + 1)", gives="result",
    ),
    "flax.nnx.switch": _row(
        "1 branches[]: *operands", "operands", "nnx.switch(0, [f, g], V)",
        "f = R('branches', lambda x: x)\ng = R('branches', lambda x: x + 1)", gives="result",
    ),
    "flax.nnx.while_loop": _row(
        "0 cond_fun: carry; 1 body_fun: carry", "operands", "nnx.while_loop(f, g, N)",
        "f = R('cond_fun', lambda c: c < 3)\ng = R('body_fun', lambda c: c + 1)", gives="result",
    ),
    "flax.nnx.fori_loop": _row(
        "2 body_fun: index carry", "operands", "nnx.fori_loop(0, 3, f, S)",
        "f = R('body_fun', lambda i, c: c + 1)", gives="result",
    ),
    "flax.nnx.eval_shape": _row(
        "0 f: *args **kwargs", "leaves", "nnx.eval_shape(f, V, 2.0)", f"f = R('f', {_F})",
        gives="result",
    ),
    "flax.nnx.make_jaxpr": _row(
        _ARGS_F, "leaves", "g(V, 2.0)",
        f"g = nnx.make_jaxpr(R('f', {_F}), graph_updates=False)", factory=True
    ),
    "flax.nnx.checkify": _wrapper("nnx.checkify", "f", "none"),
    "flax.nnx.custom_vjp": _row(
        _ARGS, "none", "g(V, 2.0)",
        f"g = nnx.custom_vjp(R('fun', {_F}))\n"
        "g.defvjp(lambda x, y: ((x * y).sum(), x), lambda r, t: (r, t))",
        static_by="nondiff_argnums", factory=True,
    ),
    "flax.nnx.jvp": _row(
        "0 f: *operands", "operands", "nnx.jvp(f, (V, V), (V, V), graph=False)",
        f"f = R('f', {_F})",
        gives="result",
    ),
    "flax.nnx.vjp": _row(
        "0 f: *operands", "operands", "nnx.vjp(f, V, V, graph=False)", f"f = R('f', {_F})",
        gives="result",
    ),
    "flax.nnx.cached_partial": _row(
        "0 f: *args **kwargs", "leaves", "g(V)",
        f"{_MODEL}\nf = nnx.jit(R('f', lambda m, x: m(x)))\ng = nnx.cached_partial(f, model)",
        note="the callable is one that nnx.jit made; the tracing is that of nnx.jit",
    ),
    "flax.nnx.map": _row(
        "0 f: path x", "none", "nnx.map(f, nnx.state(model))",
        f"{_MODEL}\nf = R('f', lambda p, x: x)", gives="result",
    ),
    "flax.nnx.map_state": _row(
        "0 f: path x", "none", "nnx.map_state(f, nnx.state(model))",
        f"{_MODEL}\nf = R('f', lambda p, x: x)", gives="result",
    ),
    "flax.nnx.recursive_map": _row(
        "0 f: path x", "none", "nnx.recursive_map(f, model)",
        f"{_MODEL}\nf = R('f', lambda p, x: x)", gives="result",
    ),
    "flax.nnx.split_rngs": _row(_ARGS_F, "none", factory=True),
    "flax.nnx.transform_metadata": _row(_ARGS_F, "none", factory=True),
    "flax.nnx.get_abstract_model": _row("0 init_fn:", "leaves", gives="result", abstract=True),
    # flax: the rest
    "flax.core.init": _row(
        "0 fn: scope *args **kwargs", "none", "g(K, V)",
        "from flax import core\ng = core.init(R('fn', lambda s, x: x))",
        note="the result is called with (rngs, *args, **kwargs)",
    ),
    "flax.core.apply": _row(
        "0 fn: scope *args **kwargs", "none", "g({}, V)",
        "from flax import core\ng = core.apply(R('fn', lambda s, x: x))",
        note="the result is called with (variables, *args, rngs=, **kwargs)",
    ),
    "flax.jax_utils.scan_in_dim": _row(
        "0 body_fn: carry x", "operands", "jax_utils.scan_in_dim(f, S, V)",
        "from flax import jax_utils\nf = R('body_fn', lambda c, x: (c + x, x))", gives="result",
    ),
    "flax.jax_utils.partial_eval_by_shape": _row(
        "0 fn: *args", "leaves", "jax_utils.partial_eval_by_shape(f, [((4,), jnp.float32)])",
        "from flax import jax_utils\nf = R('fn', lambda x: x)", gives="result",
    ),
    "flax.jax_utils.pad_shard_unpad": _row("0 wrapped: *args **kwargs", "none"),
    "flax.training.dynamic_scale.DynamicScale.value_and_grad": _row(
        "0 fun: *args", "selected", "g(V, V)",
        "from flax.training.dynamic_scale import DynamicScale\n"
        f"g = DynamicScale().value_and_grad(R('fun', {_F}))",
        selected_by="argnums",
    ),
    # haiku
    "haiku.transform": _row(
        "0 f: *args **kwargs", "none", "t.apply({}, K, V, 2.0)",
        f"t = hk.transform(R('f', {_F}))", gives="transformed",
        note="init(rng, *args) and apply(params, rng, *args) call it",
    ),
    "haiku.transform_with_state": _row(
        "0 f: *args **kwargs", "none", "t.apply({}, {}, K, V, 2.0)",
        f"t = hk.transform_with_state(R('f', {_F}))", gives="transformed",
        note="init(rng, *args) and apply(params, state, rng, *args) call it",
    ),
    "haiku.multi_transform": _row(
        "0 f:", "none", "t.init(K, V)",
        "t = hk.multi_transform(R('f', lambda: ((lambda x: x), (lambda x: x, lambda x: x))))",
        gives="transformed", note="it gives the init function and a tree of apply functions",
    ),
    "haiku.multi_transform_with_state": _row(
        "0 f:", "none", "t.init(K, V)",
        "t = hk.multi_transform_with_state(R('f', lambda: ((lambda x: x), (lambda x: x,))))",
        gives="transformed", note="it gives the init function and a tree of apply functions",
    ),
    "haiku.without_apply_rng": _row("0 f: transformed", "none", gives="transformed",
        note="f is what transform gave; apply(params, *args) then takes no rng"),
    "haiku.without_state": _row("0 f: transformed", "none", gives="transformed"),
    "haiku.with_empty_state": _row("0 f: transformed", "none", gives="transformed"),
    "haiku.scan": _in_haiku(
        "0 f: carry x", "operands", "f = R('f', lambda c, x: (c + x, x))", "hk.scan(f, S, V)",
        gives="result",
    ),
    "haiku.cond": _in_haiku(
        "1 true_fun: *operands; 2 false_fun: *operands", "operands",
        "f = R('true_fun', lambda x: x)\ng = R('false_fun', lambda x: x + 1)",
        "hk.cond(True, f, g, V)", gives="result",
    ),
    "haiku.switch": _in_haiku(
        "1 branches[]: *operands", "operands",
        "f = R('branches', lambda x: x)\ng = R('branches', lambda x: x + 1)",
        "hk.switch(0, [f, g], V)", gives="result",
    ),
    "haiku.while_loop": _in_haiku(
        "0 cond_fun: carry; 1 body_fun: carry", "operands",
        "f = R('cond_fun', lambda c: c < 3)\ng = R('body_fun', lambda c: c + 1)",
        "hk.while_loop(f, g, N)", gives="result",
    ),
    "haiku.fori_loop": _in_haiku(
        "2 body_fun: index carry", "operands", "f = R('body_fun', lambda i, c: c + 1)",
        "hk.fori_loop(0, 3, f, S)", gives="result",
    ),
    "haiku.map": _in_haiku(
        "0 f: x", "operands", "f = R('f', lambda x: x)", "hk.map(f, V)", gives="result",
    ),
    "haiku.vmap": _in_haiku(
        _ARGS, "selected", "f = R('fun', lambda x, y: x * y)", "hk.vmap(f, split_rng=False)(V, V)",
        selected_by="in_axes",
    ),
    "haiku.grad": _in_haiku(
        _ARGS, "selected", f"f = R('fun', {_F})", "hk.grad(f)(V, 2.0)", selected_by="argnums",
    ),
    "haiku.value_and_grad": _in_haiku(
        _ARGS, "selected", f"f = R('fun', {_F})", "hk.value_and_grad(f)(V, 2.0)",
        selected_by="argnums",
    ),
    "haiku.remat": _in_haiku(
        _ARGS, "leaves", f"f = R('fun', {_F})", "hk.remat(f)(V, 2.0)", static_by="static_argnums",
    ),
    "haiku.eval_shape": _in_haiku(
        _ARGS, "leaves", f"f = R('fun', {_F})", "hk.eval_shape(f, V, 2.0)", gives="result",
    ),
    "haiku.lift": _row("0 init_fn: rng *args", "none",
        note="the result is called with the arguments of init_fn behind rng"),
    "haiku.lift_with_state": _row("0 init_fn: rng *args", "none"),
    "haiku.transparent_lift": _row("0 init_fn: rng *args", "none"),
    "haiku.transparent_lift_with_state": _row("0 init_fn: rng *args", "none"),
    "haiku.to_module": _in_haiku(
        "0 f: *args **kwargs", "none", "def net(x, y): return x * y\nf = R('f', net)",
        "hk.to_module(f)()(V, 2.0)",
        note="gives a module class; its instances are called with *args",
    ),
    "haiku.layer_stack": _row(
        "", "operands", note="the callable goes to the result: layer_stack(n)(f)(x) scans f, so"
        " that it is traced; f is called with the carry and per-layer inputs", abstract=True,
    ),
    "haiku.expand_apply": _row("0 f: *args", "none"),
    "haiku.intercept_methods": _row("0 interceptor: next_f args kwargs context", "none",
        gives="context"),
    "haiku.custom_getter": _row("0 getter: next_getter value context", "none", gives="context"),
    "haiku.custom_creator": _row(
        "0 creator: next_creator shape dtype init context", "none", gives="context"
    ),
    "haiku.custom_setter": _row("0 setter: next_setter value context", "none", gives="context"),
    "haiku.get_parameter": _row(
        "3 init: shape dtype", "none", "hk.transform(h).init(K)",
        "f = R('init', lambda shape, dtype: jnp.ones(shape, dtype))\n"
        "h = lambda: hk.get_parameter('w', (4,), init=f)", gives="result",
    ),
    "haiku.get_state": _row("3 init: shape dtype", "none", gives="result"),
    "haiku.to_dot": _row("0 fun: *args **kwargs", "leaves", abstract=True),
    "haiku.experimental.tabulate": _row("0 f: *args **kwargs", "leaves", abstract=True),
    "haiku.experimental.eval_summary": _row("0 f: *args **kwargs", "leaves", abstract=True),
    "haiku.transparent": _row("0 method: module *args **kwargs", "none"),
    "haiku.name_like": _row("", "none", note="gives a decorator that passes the method on"),
    # chex
    "chex.chexify": _row(
        "0 fn: *args **kwargs", "none", "g(V, 2.0)",
        f"g = chex.chexify(R('fn', {_F}), async_check=False)",
        note="a jitted callable is checkified; values are staged as under checkify",
    ),
    "chex.with_jittable_assertions": _row(
        "0 fn: *args **kwargs", "none", "g(V, 2.0)",
        f"g = chex.with_jittable_assertions(R('fn', {_F}), async_check=False)",
    ),
    "chex.assert_max_traces": _row(
        "0 fn: *args **kwargs", "none", factory=True,
        note="assert_max_traces(n) is the decorator factory",
    ),
    "chex.if_args_not_none": _row(
        "0 fn: *args **kwargs", "none", "chex.if_args_not_none(f, V, 2.0)", f"f = R('fn', {_F})",
        gives="result",
    ),
    "chex.assert_numerical_grads": _row(
        "0 f: *operands", "operands", gives="result", abstract=False
    ),
    # optax
    "optax.value_and_grad_from_state": _row(
        "0 value_fn: *args", "first", "g(V, state=state)",
        "g = optax.value_and_grad_from_state(R('value_fn', lambda x: (x * x).sum()))\n"
        "state = optax.lbfgs().init(V)",
        note="runs the gradient inside lax.cond",
    ),
    "optax.microbatch": _row(
        "0 fun: *args **kwargs", "leaves", "g(V, V)",
        f"g = optax.microbatch(R('fun', {_F}), argnums=(0, 1), microbatch_size=2)",
    ),
    "optax.microbatching.micro_vmap": _row(
        "0 fun: *args **kwargs", "selected", "g(V, V)",
        f"g = optax.microbatching.micro_vmap(R('fun', {_F}), in_axes=(0, 0), microbatch_size=2)",
        selected_by="in_axes",
    ),
    "optax.microbatching.micro_grad": _row(
        "0 fun: *args **kwargs", "leaves", "g(S, V)",
        f"g = optax.microbatching.micro_grad(R('fun', {_F}), microbatch_size=2)",
    ),
    "optax.stateless": _row(
        "0 f: updates params", "none", "t.update(P, (), P)",
        "t = optax.stateless(R('f', lambda u, p: u))", gives="transformed",
    ),
    "optax.stateless_with_tree_map": _row(
        "0 f: x params", "none", "t.update(P, (), P)",
        "t = optax.stateless_with_tree_map(R('f', lambda u, p: u))", gives="transformed",
    ),
    "optax.scale_by_schedule": _row(
        "0 step_size_fn: count", "none", "t.update(P, t.init(P), P)",
        "t = optax.scale_by_schedule(R('step_size_fn', lambda c: 0.1))", gives="transformed",
    ),
    "optax.conditionally_transform": _row(
        "1 should_transform_fn: count", "none", "t.update(P, t.init(P), P)",
        "t = optax.conditionally_transform(optax.sgd(0.1),"
        " R('should_transform_fn', lambda c: c > 2))",
        gives="transformed",
    ),
    "optax.conditionally_mask": _row(
        "1 should_transform_fn: count", "none", "t.update(P, t.init(P), P)",
        "t = optax.conditionally_mask(optax.sgd(0.1), R('should_transform_fn', lambda c: c > 2))",
        gives="transformed",
    ),
    "optax.inject_hyperparams": _row(
        "0 inner_factory: *args **kwargs", "leaves", "t = g(learning_rate=0.1)\nt.init(P)",
        "g = optax.inject_hyperparams(R('inner_factory', lambda learning_rate:"
        " optax.sgd(learning_rate)))",
        static_by="static_args",
        note="numeric arguments arrive as arrays, traced when init or update is traced",
    ),
    "optax.power_iteration": _row(
        "0 matrix: v", "operands", "optax.power_iteration(f, v0=V, num_iters=3)",
        "f = R('matrix', lambda v: v * 2)", gives="result",
    ),
    "optax.perturbations.make_perturbed_fun": _row(
        "0 fun: x", "leaves", "g(K, V)",
        "g = optax.perturbations.make_perturbed_fun(R('fun', lambda x: x), 3)",
    ),
    "optax.losses.make_fenchel_young_loss": _row(
        "0 max_fun: x", "none", "g(V, V)",
        "g = optax.losses.make_fenchel_young_loss(R('max_fun', lambda x: x.max()))",
    ),
    "optax.tree.map_params": _row("1 f: x *rest", "none", gives="result"),
    "optax.second_order.hvp": _row(
        "0 loss: params inputs targets", "operands",
        "optax.second_order.hvp(f, V, V, V, V)",
        "f = R('loss', lambda p, x, y: (p * x * y).sum())", gives="result",
    ),
    "optax.second_order.hessian_diag": _row(
        "0 loss: params inputs targets", "operands",
        "optax.second_order.hessian_diag(f, V, V, V)",
        "f = R('loss', lambda p, x, y: (p * x * y).sum())", gives="result",
    ),
    "optax.second_order.fisher_diag": _row(
        "0 negative_log_likelihood: params inputs targets", "operands",
        "optax.second_order.fisher_diag(f, V, V, V)",
        "f = R('negative_log_likelihood', lambda p, x, y: (p * x * y).sum())", gives="result",
    ),
    "optax.GradientTransformationExtraArgs.update": _row(
        "- value_fn: params", "leaves",
        "t.update(V, state, V, value=S, grad=V, value_fn=f)",
        "t = optax.lbfgs()\nstate = t.init(V)\nf = R('value_fn', lambda x: (x * x).sum())",
        gives="result",
        note="line searches (lbfgs, scale_by_backtracking_linesearch, scale_by_zoom_linesearch)"
        " call value_fn in a loop; *args and **kwargs of value_fn follow",
    ),
    # solvers
    "diffrax.ODETerm": _row(
        "0 vector_field: t y args", "leaves",
        "diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, V, args=V)",
        "import diffrax\nterm = diffrax.ODETerm(R('vector_field', lambda t, y, args: -y * args))",
        gives="solver", note="called by diffrax.diffeqsolve",
    ),
    "diffrax.ControlTerm": _row("0 vector_field: t y args", "leaves", gives="solver",
        abstract=True, note="called by diffrax.diffeqsolve"),
    "diffrax.SaveAt": _row("- fn: t y args", "leaves", gives="solver", abstract=True,
        note="called by diffrax.diffeqsolve"),
    "diffrax.Event": _row(
        "0 cond_fn: t y args **kwargs", "leaves",
        "diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, V, args=V, event=event)",
        "import diffrax\nterm = diffrax.ODETerm(lambda t, y, args: -y * args)\n"
        "event = diffrax.Event(R('cond_fn', lambda t, y, args, **kw: y[0] < -1))",
        gives="solver", note="called by diffrax.diffeqsolve",
    ),
    "optimistix.minimise": _row(
        "0 fn: y args", "operands", "optx.minimise(f, optx.BFGS(1e-3, 1e-3), V)",
        "import optimistix as optx\nf = R('fn', lambda y, args: (y * y).sum())", gives="result",
    ),
    "optimistix.root_find": _row(
        "0 fn: y args", "operands", "optx.root_find(f, optx.Newton(1e-3, 1e-3), V)",
        "import optimistix as optx\nf = R('fn', lambda y, args: y - 1)", gives="result",
    ),
    "optimistix.fixed_point": _row(
        "0 fn: y args", "operands", "optx.fixed_point(f, optx.FixedPointIteration(1e-3, 1e-3), V)",
        "import optimistix as optx\nf = R('fn', lambda y, args: y * 0.5)", gives="result",
    ),
    "optimistix.least_squares": _row(
        "0 fn: y args", "operands",
        "optx.least_squares(f, optx.LevenbergMarquardt(1e-3, 1e-3), V)",
        "import optimistix as optx\nf = R('fn', lambda y, args: y - 1)", gives="result",
    ),
    "lineax.FunctionLinearOperator": _row(
        "0 fn: x", "leaves", "lx.linear_solve(lx.FunctionLinearOperator(f, V), V)",
        "import lineax as lx\nf = R('fn', lambda v: v * 2)", gives="solver",
    ),
    "lineax.JacobianLinearOperator": _row(
        "0 fn: x args", "leaves", "lx.linear_solve(lx.JacobianLinearOperator(f, V), V)",
        "import lineax as lx\nf = R('fn', lambda x, args: x * x)", gives="solver",
    ),
    **{
        f"numpyro.infer.{kernel}": _row(
            functions, "unknown", gives="solver", abstract=True, rehearsed=True,
            note="values of numpyro.sample are traced; arguments of run are closed over",
        )
        for kernel, functions in (
            ("HMC", "0 model: *args **kwargs"), ("NUTS", "0 model: *args **kwargs"),
            ("SVI", "0 model: *args **kwargs; 1 guide: *args **kwargs"),
        )
    },
    **{
        f"jaxopt.{solver}": _row(
            f"0 {argument}: params *args **kwargs", "leaves", gives="solver", abstract=True,
            note="its run(init_params, *args, **kwargs) loops under jit",
        )
        for solver, argument in (
            ("GradientDescent", "fun"), ("LBFGS", "fun"), ("BFGS", "fun"),
            ("ProximalGradient", "fun"), ("NonlinearCG", "fun"), ("GaussNewton", "residual_fun"),
            ("LevenbergMarquardt", "residual_fun"), ("Bisection", "optimality_fun"),
            ("FixedPointIteration", "fixed_point_fun"),
        )
    },
}  # fmt: skip

#: Other spellings of the rows above, besides those that the probe finds by object identity.
TRANSFORM_ALIASES: dict[str, str] = {
    "flax.linen.transforms.scan": "flax.linen.scan",
    "haiku.experimental.layer_stack": "haiku.layer_stack",
    "optax.GradientTransformation.update": "optax.GradientTransformationExtraArgs.update",
}
