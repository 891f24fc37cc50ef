"""Classes of the frameworks, with programs that make an instance of each."""

from __future__ import annotations

from tools.probes.framework_transform_samples import Spec

#: Classes that user code derives from, decorates with, registers or holds, in the words of
#: ``ClassFact``.  Under ``probe`` stands a program that makes ``instance``; the probe passes it to
#: ``jax.jit`` and looks at ``static`` and ``traced`` attributes.
CLASSES: dict[str, Spec] = {
    "equinox.Module": {
        "role": "base", "fields": "traced", "frozen": True,
        "static_markers": [["equinox.field", "static", "True"], ["equinox.static_field", "", ""]],
        "note": "Under equinox.filter_jit only arrays are traced, Python numbers stay static. As a"
        " dataclass with array fields it cannot be hashed.",
        "probe": "class C(eqx.Module):\n    a: object\n    k: float = 2.0\n"
        "    s: int = eqx.field(static=True, default=3)\ninstance = C(V)",
        "traced_fields": "a k", "static_fields": "s", "own_fields": True,
    },
    "flax.struct.dataclass": {
        "role": "decorator", "fields": "traced", "frozen": True,
        "static_markers": [["flax.struct.field", "pytree_node", "False"]],
        "methods": {"replace": "same"},
        "probe": "@flax.struct.dataclass\nclass C:\n    a: object\n    k: float = 2.0\n"
        "    s: int = flax.struct.field(pytree_node=False, default=3)\ninstance = C(V)",
        "traced_fields": "a k", "static_fields": "s", "own_fields": True,
    },
    "flax.struct.PyTreeNode": {
        "role": "base", "fields": "traced", "frozen": True,
        "static_markers": [["flax.struct.field", "pytree_node", "False"]],
        "methods": {"replace": "same"},
        "probe": "class C(flax.struct.PyTreeNode):\n    a: object\n    k: float = 2.0\n"
        "    s: int = flax.struct.field(pytree_node=False, default=3)\ninstance = C(V)",
        "traced_fields": "a k", "static_fields": "s", "own_fields": True,
    },
    "chex.dataclass": {
        "role": "decorator", "fields": "traced", "frozen": False,
        "static_markers": [["chex.dataclass", "static_fields", "names"]],
        "methods": {"replace": "same", "to_tuple": "tree", "from_tuple": "same"},
        "note": "A mapping by default (mappable_dataclass=True): string subscripts work.",
        "probe": "@chex.dataclass\nclass C:\n    a: object\n    k: float = 2.0\ninstance = C(a=V)",
        "traced_fields": "a k", "own_fields": True,
    },
    "chex.mappable_dataclass": {
        "role": "decorator", "fields": "unknown",
        "note": "Makes a dataclass a mapping; registers nothing.", "pytree": False,
    },
    "flax.linen.Module": {
        "role": "base", "fields": "static", "frozen": True,
        "methods": {"init": "tree", "apply": "unknown", "init_with_output": "unknown",
                    "lazy_init": "tree", "bind": "same", "clone": "same", "copy": "same",
                    "param": "tree", "variable": "object:flax.linen.Variable", "sow": "static",
                    "perturb": "array", "make_rng": "array", "is_initializing": "static",
                    "is_mutable_collection": "static", "has_variable": "static",
                    "has_rng": "static", "get_variable": "tree", "put_variable": "none",
                    "unbind": "unknown", "tabulate": "static", "setup": "none"},
        "note": "Fields are configuration. Parameters come from self.param and submodules. apply"
        " with mutable= gives (output, variables); param gives an array for an array initializer.",
        "probe": "class C(nn.Module):\n    k: float = 2.0\n    def __call__(self, x): return x\n"
        "instance = C()",
    },
    "flax.linen.RNNCellBase": {"role": "base", "fields": "static", "frozen": True,
        "methods": {"initialize_carry": "tree"}, "probe": "instance = nn.GRUCell(4)"},
    "flax.linen.Variable": {"role": "instance", "pytree": False, "fields": "unknown",
        "note": "self.variable(...) gives one; .value is traced when the variables are."},
    "flax.linen.Partitioned": {"role": "instance", "fields": "traced", "methods": {"unbox": "tree"},
        "probe": "instance = nn.Partitioned(V, names=('a',))", "traced_fields": "value",
        "static_fields": "names"},
    "flax.core.FrozenDict": {"role": "instance", "fields": "traced", "frozen": True,
        "methods": {"copy": "same", "pop": "tree_pair", "unfreeze": "tree", "items": "unknown"},
        "probe": "instance = flax.core.freeze({'a': V})"},
    "flax.nnx.Module": {
        "role": "base", "fields": "variables",
        "static_markers": [["flax.nnx.static", "", ""], ["flax.nnx.Static", "", ""]],
        "methods": {"train": "none", "eval": "none", "sow": "none", "perturb": "array",
                    "set_attributes": "none", "iter_modules": "object",
                    "iter_children": "object"},
        "note": "Variables and array attributes are traced, Python attributes are static. Under"
        " jax.jit mutations inside are lost; under flax.nnx.jit they are kept.",
        "probe": "class C(nnx.Module):\n    def __init__(self):\n        self.w = nnx.Param(V)\n"
        "        self.k = 2.0\ninstance = C()",
        "static_fields": "k", "own_fields": True,
    },
    "flax.nnx.Pytree": {
        "role": "base", "fields": "variables",
        "static_markers": [["flax.nnx.static", "", ""], ["flax.nnx.Static", "", ""]],
        "note": "nnx.data and nnx.Data mark a pytree attribute as traced.",
        "probe": "class C(nnx.Pytree):\n    def __init__(self):\n        self.w = nnx.Param(V)\n"
        "        self.k = 2.0\n        self.a = V\ninstance = C()",
        "static_fields": "k", "traced_fields": "a", "own_fields": True,
    },
    "flax.nnx.Variable": {"role": "instance", "fields": "traced",
        "methods": {"get_value": "array", "set_value": "none", "get_metadata": "static"},
        "note": "Arithmetic on one gives arrays; .value and [...] are the array. Comparing one, or"
        " bool() of one, raises TypeError, traced or not.",
        "probe": "instance = nnx.Param(V)", "traced_fields": "value"},
    **{
        f"flax.nnx.{name}": {
            "role": "instance", "fields": "traced", "traced_fields": "value",
            "methods": {"get_value": "array", "set_value": "none", "get_metadata": "static"},
            "note": "A flax.nnx.Variable.", "probe": f"instance = nnx.{name}(V)",
        }
        for name in (
            "Param BatchStat Cache Intermediate Perturbation RngCount RngState LoRAParam OptState"
            " OptVariable OptArray"
        ).split()
    },
    "flax.nnx.Dict": {"role": "base", "fields": "variables", "probe": "instance = nnx.Dict(a=V)"},
    "flax.nnx.List": {"role": "base", "fields": "variables", "probe": "instance = nnx.List([V])"},
    "flax.nnx.RNNCellBase": {"role": "base", "fields": "variables",
        "methods": {"initialize_carry": "tree"},
        "probe": "instance = nnx.GRUCell(4, 4, rngs=nnx.Rngs(0))"},
    "flax.nnx.RngStream": {"role": "instance", "fields": "variables",
        "methods": {"fork": "same"}, "probe": "instance = nnx.Rngs(0).default",
        "note": "Calling it gives a key."},
    "flax.nnx.dataclass": {"role": "decorator", "fields": "variables",
        "static_markers": [["flax.nnx.static", "", ""], ["flax.nnx.Static", "", ""]],
        "pytree": True, "note": "For classes derived from flax.nnx.Pytree."},
    "flax.nnx.Rngs": {"role": "instance", "fields": "variables",
        "methods": {"params": "array", "dropout": "array", "fork": "same"},
        "note": "Every stream is a method that gives a key.",
        "probe": "instance = nnx.Rngs(0)"},
    "flax.nnx.Optimizer": {"role": "instance", "fields": "variables",
        "methods": {"update": "none"}, "static_fields": "tx",
        "probe": "instance = nnx.Optimizer(nnx.Linear(4, 4, rngs=nnx.Rngs(0)), optax.sgd(0.1),"
        " wrt=nnx.Param)"},
    "flax.nnx.ModelAndOptimizer": {"role": "instance", "fields": "variables",
        "methods": {"update": "none"}, "static_fields": "tx",
        "probe": "instance = nnx.ModelAndOptimizer(nnx.Linear(4, 4, rngs=nnx.Rngs(0)),"
        " optax.sgd(0.1))"},
    "flax.nnx.Metric": {"role": "base", "fields": "variables",
        "methods": {"update": "none", "reset": "none", "compute": "array"},
        "probe": "instance = nnx.metrics.Average('loss')"},
    "flax.nnx.MultiMetric": {"role": "instance", "fields": "variables",
        "methods": {"update": "none", "reset": "none", "compute": "tree"},
        "probe": "instance = nnx.MultiMetric(loss=nnx.metrics.Average('loss'))"},
    "flax.nnx.metrics.Average": {"role": "instance", "fields": "variables",
        "methods": {"update": "none", "reset": "none", "compute": "array"},
        "probe": "instance = nnx.metrics.Average('loss')"},
    "flax.nnx.metrics.Accuracy": {"role": "instance", "fields": "variables",
        "methods": {"update": "none", "reset": "none", "compute": "array"},
        "probe": "instance = nnx.metrics.Accuracy()"},
    "flax.nnx.State": {"role": "instance", "fields": "traced",
        "methods": {"filter": "unknown", "flat_state": "unknown"},
        "probe": "instance = nnx.state(nnx.Linear(4, 4, rngs=nnx.Rngs(0)))"},
    "flax.nnx.GraphDef": {"role": "instance", "fields": "static",
        "probe": "instance = nnx.graphdef(nnx.Linear(4, 4, rngs=nnx.Rngs(0)))",
        "note": "A pytree without leaves: static."},
    "flax.nnx.TrainState": {
        "role": "base", "fields": "traced", "frozen": True,
        "methods": {"apply_gradients": "same", "create": "same", "replace": "same"},
        "static_markers": [["flax.struct.field", "pytree_node", "False"]],
        "probe": "model = nnx.Linear(4, 4, rngs=nnx.Rngs(0))\n"
        "instance = nnx.TrainState.create(nnx.graphdef(model), params=nnx.state(model),"
        " tx=optax.adam(0.1))",
        "traced_fields": "step params opt_state", "static_fields": "graphdef tx",
    },
    "flax.training.train_state.TrainState": {
        "role": "base", "fields": "traced", "frozen": True,
        "methods": {"apply_gradients": "same", "create": "same", "replace": "same",
                    "apply_fn": "unknown"},
        "static_markers": [["flax.struct.field", "pytree_node", "False"]],
        "probe": "from flax.training.train_state import TrainState\n"
        "instance = TrainState.create(apply_fn=lambda v, x: x, params=P, tx=optax.adam(0.1))",
        "traced_fields": "step params opt_state", "static_fields": "apply_fn tx",
    },
    "flax.training.dynamic_scale.DynamicScale": {
        "role": "instance", "fields": "traced", "frozen": True,
        "methods": {"replace": "same", "value_and_grad": "callable"},
        "probe": "from flax.training.dynamic_scale import DynamicScale\n"
        "instance = DynamicScale()",
        "traced_fields": "fin_steps scale", "static_fields": "growth_factor backoff_factor"
        " growth_interval minimum_scale",
    },
    "haiku.Module": {"role": "base", "fields": "static",
        "note": "Attributes are configuration unless a method stores a traced value. Parameters"
        " come from haiku.get_parameter.",
        "probe": "box = []\n"
        "hk.transform(lambda: box.append(hk.Linear(4))).init(K)\ninstance = box[0]"},
    "haiku.RNNCore": {"role": "base", "fields": "static", "methods": {"initial_state": "tree"},
        "probe": "box = []\nhk.transform(lambda: box.append(hk.GRU(4))).init(K)\n"
        "instance = box[0]"},
    "haiku.Transformed": {"role": "instance", "methods": {"init": "tree", "apply": "unknown"},
        "probe": "instance = hk.transform(lambda x: x)", "fields": "static"},
    "haiku.TransformedWithState": {"role": "instance",
        "methods": {"init": "tree_pair", "apply": "unknown"}, "fields": "static",
        "probe": "instance = hk.transform_with_state(lambda x: x)",
        "note": "apply gives (output, state)."},
    "haiku.MultiTransformed": {"role": "instance", "methods": {"init": "tree"},
        "fields": "static",
        "probe": "instance = hk.multi_transform(lambda: ((lambda x: x), (lambda x: x)))"},
    "haiku.LSTMState": {"role": "instance", "fields": "traced", "frozen": True,
        "traced_fields": "hidden cell", "probe": "instance = hk.LSTMState(V, V)"},
    "haiku.PRNGSequence": {"role": "instance", "fields": "unknown",
        "methods": {"take": "unknown", "reserve": "none"},
        "note": "An iterator: next() gives a key and changes it.",
        "probe": "instance = hk.PRNGSequence(K)"},
    "optax.GradientTransformation": {"role": "instance", "fields": "static",
        "methods": {"init": "tree", "update": "tree_pair"},
        "probe": "instance = optax.sgd(0.1)",
        "note": "A NamedTuple of functions, so a pytree whose leaves jax.jit refuses."},
    "optax.MultiSteps": {"role": "instance", "fields": "static",
        "methods": {"init": "tree", "update": "tree_pair", "has_updated": "array",
                    "gradient_transformation": "object:optax.GradientTransformation"},
        "probe": "instance = optax.MultiSteps(optax.sgd(0.1), 2)"},
    "optax.LookaheadParams": {"role": "instance", "fields": "traced", "frozen": True,
        "methods": {"init_synced": "same"}, "traced_fields": "fast slow",
        "probe": "instance = optax.LookaheadParams.init_synced(P)"},
    "optax.ScaleByAdamState": {"role": "instance", "fields": "traced", "frozen": True,
        "traced_fields": "count mu nu", "probe": "instance = optax.scale_by_adam().init(P)"},
    "equinox.nn.State": {"role": "instance", "fields": "traced", "methods":
        {"get": "tree", "set": "same", "substate": "same", "update": "same"},
        "probe": "instance = eqx.nn.make_with_state(eqx.nn.BatchNorm)(4, 'b', mode='batch')[1]"},
    "equinox.nn.StatefulLayer": {"role": "base", "fields": "traced", "frozen": True,
        "static_markers": [["equinox.field", "static", "True"]],
        "probe": "instance = eqx.nn.make_with_state(eqx.nn.BatchNorm)(4, 'b', mode='batch')[0]"},
    "equinox.Enumeration": {"role": "base", "fields": "static", "pytree": False},
    "jmp.Policy": {"role": "instance", "fields": "static",
        "methods": {"cast_to_compute": "tree", "cast_to_output": "tree", "cast_to_param": "tree"},
        "probe": "instance = jmp.get_policy('full')"},
    "jmp.DynamicLossScale": {"role": "instance", "fields": "traced",
        "methods": {"scale": "tree", "unscale": "tree", "adjust": "same"},
        "traced_fields": "loss_scale counter",
        "probe": "instance = jmp.DynamicLossScale(S)"},
    "jmp.StaticLossScale": {"role": "instance", "fields": "static",
        "methods": {"scale": "tree", "unscale": "tree", "adjust": "same"},
        "static_fields": "loss_scale", "probe": "instance = jmp.StaticLossScale(S)"},
    "jmp.NoOpLossScale": {"role": "instance", "fields": "static",
        "methods": {"scale": "tree", "unscale": "tree", "adjust": "same"},
        "probe": "instance = jmp.NoOpLossScale()"},
    # Python and JAX
    "typing.NamedTuple": {"role": "base", "fields": "traced", "frozen": True,
        "methods": {"_replace": "same"},
        "probe": "import typing\nclass C(typing.NamedTuple):\n    a: object\n    k: float = 2.0\n"
        "instance = C(V)", "traced_fields": "a k", "own_fields": True},
    "collections.namedtuple": {"role": "registration", "fields": "traced", "frozen": True,
        "methods": {"_replace": "same"},
        "probe": "import collections\ninstance = collections.namedtuple('C', 'a k')(V, 2.0)",
        "traced_fields": "a k", "own_fields": True},
    "dataclasses.dataclass": {"role": "decorator", "fields": "static",
        "note": "No pytree unless it is registered.",
        "probe": "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: object\n"
        "instance = C(2.0)"},
    "jax.tree_util.register_dataclass": {"role": "registration", "fields": "traced",
        "static_markers": [["jax.tree_util.register_dataclass", "meta_fields", "names"],
                           ["dataclasses.field", "metadata", "{'static': True}"]],
        "note": "Usable as a decorator of a dataclass; data_fields are traced, meta_fields"
        " static. Without lists all fields are traced but those with metadata static.",
        "probe": "import dataclasses\n@jax.tree_util.register_dataclass\n@dataclasses.dataclass\n"
        "class C:\n    a: object\n    k: float = 2.0\n"
        "    s: int = dataclasses.field(default=3, metadata=dict(static=True))\n"
        "instance = C(V)",
        "traced_fields": "a k", "static_fields": "s", "own_fields": True},
    "jax.tree_util.register_static": {"role": "registration", "fields": "static",
        "note": "A pytree without leaves; instances are hashed and compared as static data.",
        "probe": "@jax.tree_util.register_static\nclass C:\n    k = 2.0\ninstance = C()"},
    "jax.tree_util.register_pytree_node_class": {"role": "decorator", "fields": "unknown",
        "note": "tree_flatten gives (children, aux): children are traced, aux is static.",
        "probe": "@jax.tree_util.register_pytree_node_class\nclass C:\n"
        "    def __init__(self, a, s): self.a, self.s = a, s\n"
        "    def tree_flatten(self): return (self.a,), self.s\n"
        "    @classmethod\n    def tree_unflatten(cls, s, c): return cls(*c, s)\n"
        "instance = C(V, 3)"},
    "jax.tree_util.register_pytree_with_keys_class": {"role": "decorator", "fields": "unknown",
        "note": "tree_flatten_with_keys gives (key and child pairs, aux).", "pytree": True},
    "jax.tree_util.register_pytree_node": {"role": "registration", "fields": "unknown",
        "note": "flatten_func gives (children, aux): children are traced, aux is static.",
        "pytree": True},
    "jax.tree_util.register_pytree_with_keys": {"role": "registration", "fields": "unknown",
        "pytree": True},
    "jax.tree_util.Partial": {"role": "base", "fields": "traced",
        "note": "The function is static, the bound arguments are traced, Python numbers too.",
        "probe": "instance = jax.tree_util.Partial(jnp.add, V)", "traced_fields": "args",
        "static_fields": "func"},
}  # fmt: skip
