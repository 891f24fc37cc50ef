"""Sample calls from which the facts about optax, Flax, Equinox, Haiku and Chex are probed.

Nothing here imports a framework: each sample is the text of keyword arguments, evaluated by
:mod:`tools.probes.framework_calls` where these names stand for arrays that arrive traced:

``V`` f32[4], ``M`` f32[3,4], ``SQ`` f32[4,4], ``B`` f32[2,3,4], ``IMG`` f32[1,8,8,3],
``CHW`` f32[3,8,8], ``VOL`` f32[1,4,4,4,3], ``I`` i32[3], ``N`` i32[], ``S`` f32[], ``Q`` bool[],
``MASK`` bool[3,4], ``K`` a random key, ``P`` a dict of two arrays.

Everything else in a sample (numbers, flags, shapes) is first passed as a Python value and then, one
parameter at a time, traced, to see whether it must be static. Parameters that a sample leaves out
and whose default is a number, a flag or a tuple of numbers are traced in the same way. The key
``_args`` gives positional arguments.
"""

from __future__ import annotations

#: Samples by package and by the names that they are for.
Samples = dict[str, dict[str, str]]

FUNCTIONS: Samples = {
    "optax": {
        "losses.binary_dice_loss losses.dice_loss losses.multiclass_generalized_dice_loss "
        "huber_loss l2_loss log_cosh squared_error": "predictions=M, targets=M",
        "convex_kl_divergence generalized_kl_divergence kl_divergence": (
            "log_predictions=M, targets=M"
        ),
        "cosine_distance cosine_similarity": "predictions=M, targets=M, axis=-1, epsilon=0.1",
        "ctc_loss ctc_loss_with_forward_probs": (
            "logits=B, logit_paddings=B[:, :, 0], labels=I[None].repeat(2, 0), "
            "label_paddings=B[:, :, 0]"
        ),
        "hinge_loss losses.perceptron_loss": "predictor_outputs=V, targets=V",
        "losses.kl_divergence_with_log_targets": "log_predictions=M, log_targets=M",
        "losses.multiclass_hinge_loss losses.multiclass_perceptron_loss "
        "losses.multiclass_sparsemax_loss": "scores=M, labels=I",
        "ntxent": "embeddings=M, labels=I",
        "losses.poly_loss_cross_entropy losses.ranking_softmax_loss safe_softmax_cross_entropy "
        "sigmoid_binary_cross_entropy softmax_cross_entropy": "logits=M, labels=M",
        "sigmoid_focal_loss": "logits=M, labels=M, alpha=0.5",
        "smooth_labels": "labels=M, alpha=0.1",
        "softmax_cross_entropy_with_integer_labels": "logits=M, labels=I",
        "losses.sparsemax_loss": "logits=V, labels=V",
        "losses.triplet_margin_loss": "anchors=M, positives=M, negatives=M",
        "apply_updates": "params=P, updates=P",
        "incremental_update": "new_tensors=P, old_tensors=P, step_size=0.1",
        "periodic_update": "new_tensors=P, old_tensors=P, steps=N, update_period=2",
        "global_norm": "updates=P",
        "update_moment update_moment_per_elem_norm": "updates=P, moments=P, decay=0.9, order=2",
        "update_infinity_moment": "updates=P, moments=P, decay=0.9, eps=0.1",
        "bias_correction": "moment=P, decay=0.9, count=N",
        "safe_norm": "x=V, min_norm=0.1",
        "safe_root_mean_squares": "x=V, min_rms=0.1",
        "safe_increment safe_int32_increment": "count=N",
        "scale_gradient": "inputs=P, scale=0.5",
        "multi_normal": "loc=V, log_scale=V",
        "power_iteration": "matrix=SQ",
        "matrix_inverse_pth_root": "matrix=SQ, p=4",
        "nnls": "A=M, b=I * 1.0, iters=2",
        "per_example_global_norm_clip": "grads=[M], l2_norm_clip=1.0",
        "per_example_layer_norm_clip": "grads=[M], global_l2_norm_clip=1.0",
        "transforms.unitwise_norm": "x=M",
        "transforms.unitwise_clip": "g_norm=M, max_norm=M, grad=M",
        "skip_not_finite": "updates=P, gradient_step=N, params=P",
        "skip_large_updates": "updates=P, gradient_step=N, params=P, max_squared_norm=1.0",
        "tree_map_params": "_args=(optax.adam(0.1), lambda x: x, optax.adam(0.1).init(P))",
        "tree.get tree.get_all_with_path": "tree=optax.adam(0.1).init(P), key='count'",
        "tree.set": "_args=(optax.adam(0.1).init(P),), count=N",
        "contrib.schedule_free_eval_params": (
            "state=optax.contrib.schedule_free(optax.sgd(0.1), 0.1).init(P), params=P"
        ),
        "tree.add": "_args=(P, P)",
        "tree.add_scale": "tree_x=P, scalar=0.5, tree_y=P",
        "tree.allclose": "a=P, b=P",
        "tree.batch_shape": "tree=P, shape=(2,)",
        "tree.cast": "tree=P, dtype=jnp.float16",
        "tree.cast_like": "tree=P, other_tree=P",
        "tree.clip": "tree=P, min_value=0.0, max_value=1.0",
        "tree.conj tree.dtype tree.max tree.min tree.ones_like tree.real tree.size tree.sum "
        "tree.zeros_like projections.projection_l1_ball projections.projection_l1_sphere "
        "projections.projection_l2_ball projections.projection_l2_sphere "
        "projections.projection_linf_ball projections.projection_non_negative "
        "projections.projection_simplex": "tree=P",
        "tree.div tree.mul tree.sub tree.vdot": "tree_x=P, tree_y=P",
        "tree.full_like": "tree=P, fill_value=1.0",
        "tree.norm": "tree=P, ord=2",
        "tree.random_like tree.split_key_like": "rng_key=K, target_tree=P",
        "tree.scale": "scalar=0.5, tree=P",
        "tree.where": "condition=Q, tree_x=P, tree_y=P",
        "projections.projection_box": "tree=V, lower=0.0, upper=1.0",
        "projections.projection_halfspace projections.projection_hyperplane": "x=V, a=V, b=0.5",
        "projections.projection_hypercube": "tree=V",
        "projections.projection_vector": "x=V, a=V",
        "assignment.hungarian_algorithm assignment.base_hungarian_algorithm": "cost_matrix=SQ",
    },
    "flax.linen": {
        "avg_pool max_pool pooling.min_pool": "inputs=IMG, window_shape=(2, 2), strides=(2, 2)",
        "pool": (
            "inputs=IMG, init=0.0, reduce_fn=lax.add, window_shape=(2, 2), strides=(2, 2), "
            "padding='SAME'"
        ),
        "dot_product_attention": (
            "query=B[:, :, None], key=B[:, :, None], value=B[:, :, None], deterministic=True"
        ),
        "dot_product_attention_weights": (
            "query=B[:, :, None], key=B[:, :, None], deterministic=True"
        ),
        "make_attention_mask": "query_input=M, key_input=M",
        "make_causal_mask": "x=M",
        "combine_masks": "_args=(MASK, MASK)",
        "merge_param": "name='deterministic', a=None, b=True",
        "with_logical_constraint": "x=M, logical_axis_resources=('a', 'b')",
        "unbox get_partition_spec": "tree=P",
        "zeros_init ones_init": "",
        "with_partitioning with_logical_partitioning": "fn=nn.initializers.ones, names=('a', 'b')",
    },
    "flax.nnx": {
        "avg_pool max_pool min_pool": "inputs=IMG, window_shape=(2, 2), strides=(2, 2)",
        "dot_product_attention": (
            "query=B[:, :, None], key=B[:, :, None], value=B[:, :, None], deterministic=True"
        ),
        "make_attention_mask": "query_input=M, key_input=M",
        "make_causal_mask": "x=M",
        "combine_masks": "_args=(MASK, MASK)",
        "state split clone graphdef variables flatten": (
            "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)),)"
        ),
        "merge unflatten": "_args=nnx.split(nnx.Linear(4, 2, rngs=nnx.Rngs(K)))",
        "pop": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)), nnx.Intermediate)",
        "to_flat_state to_pure_dict": "_args=(nnx.state(nnx.Linear(4, 2, rngs=nnx.Rngs(K))),)",
        "pure data has_data": "_args=(P,)",
        "static display": "_args=(3,)",
        "is_data": "_args=(V,)",
        "update": (
            "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)), nnx.state(nnx.Linear(4, 2, "
            "rngs=nnx.Rngs(K))))"
        ),
        "fork_rngs": "_args=(nnx.Rngs(K),)",
        "with_partitioning": "initializer=nn.initializers.ones, sharding=('a', 'b')",
        "with_metadata": "initializer=nn.initializers.ones",
    },
    "flax": {
        "core.freeze traverse_util.flatten_dict traverse_util.unflatten_dict "
        "training.common_utils.shard": "xs=P",
        "core.unfreeze": "x=P",
        "core.copy": "x=P, add_or_replace=P",
        "core.pop": "x=P, key='w'",
        "traverse_util.path_aware_map": "f=lambda p, x: x, nested_dict=P",
        "serialization.to_state_dict serialization.to_bytes": "target=P",
        "serialization.from_state_dict": "target=P, state=P",
        "training.common_utils.onehot": "labels=I, num_classes=4",
        "training.common_utils.stack_forest": "forest=[P, P]",
        "jax_utils.unreplicate jax_utils.replicate": "tree=P",
    },
    "equinox": {
        "apply_updates": "model=P, updates=P",
        "combine tree_equal": "_args=(P, P)",
        "partition filter": "pytree=P, filter_spec=eqx.is_array",
        "is_array is_array_like is_inexact_array": "element=V",
        "is_inexact_array_like": "_args=(V,)",
        "tree_at": "where=lambda t: t['w'], pytree=P, replace=M",
        "tree_check": "pytree=[M]",
        "tree_inference": "pytree=P, value=True",
        "tree_pformat tree_pprint nn.inference_mode": "pytree=P",
        "error_if": "x=P, pred=Q, msg='negative'",
        "branched_error_if": "x=P, pred=Q, index=N, msgs=['a', 'b']",
        "filter_shard": "x=P, device_or_shardings=jax.devices()[0]",
        "nn.delete_init_state": "model=P",
        "debug.store_dce debug.backward_nan debug.announce_transform": "x=P",
        "clear_caches": "",
        "nn.make_with_state": "make_model=eqx.nn.Linear",
        "debug.breakpoint_if": "pred=Q",
        "internal.unvmap_all internal.unvmap_any": "x=MASK",
        "internal.unvmap_max": "x=I",
        "internal.nextafter internal.prevbefore": "x=V",
        "internal.left_broadcast_to": "arr=V, shape=(4, 2)",
    },
    "haiku": {
        "avg_pool max_pool": "value=IMG, window_shape=2, strides=2, padding='SAME'",
        "dropout": "rng=K, rate=0.5, x=V",
        "multinomial": "rng=K, logits=M, num_samples=2",
        "one_hot": "x=I, num_classes=4",
        "PRNGSequence": "key_or_seed=K",
        "pad.same": "_args=(3,)",
        "data_structures.tree_size data_structures.tree_bytes": "tree={'l': P}",
        "data_structures.to_mutable_dict": "mapping={'l': P}",
        "data_structures.merge": "_args=({'l': P}, {'m': P})",
        "data_structures.filter data_structures.partition": (
            "predicate=lambda m, n, v: True, structure={'l': P}"
        ),
        "data_structures.map": "fn=lambda m, n, v: v, structure={'l': P}",
    },
    "chex": {
        "assert_axis_dimension": "tensor=M, axis=1, expected=4",
        "assert_axis_dimension_gt assert_axis_dimension_gteq": "tensor=M, axis=1, val=2",
        "assert_axis_dimension_lt assert_axis_dimension_lteq": "tensor=M, axis=1, val=9",
        "assert_equal": "first=S, second=S",
        "assert_equal_rank assert_equal_shape assert_equal_size": "inputs=[M, M]",
        "assert_equal_shape_prefix": "inputs=[M, M], prefix_len=1",
        "assert_equal_shape_suffix": "inputs=[M, M], suffix_len=1",
        "assert_exactly_one_is_none assert_not_both_none": "first=M, second=None",
        "assert_is_broadcastable": "shape_a=(1, 4), shape_b=(3, 4)",
        "assert_is_divisible": "numerator=4, denominator=2",
        "assert_rank": "inputs=M, expected_ranks=2",
        "assert_scalar assert_scalar_negative assert_scalar_non_negative assert_scalar_positive": (
            "x=S"
        ),
        "assert_scalar_in": "x=S, min_=-9.0, max_=9.0",
        "assert_shape": "inputs=M, expected_shapes=(3, 4)",
        "assert_size": "inputs=M, expected_sizes=12",
        "assert_tree_all_finite": "tree_like=P",
        "assert_tree_has_only_ndarrays assert_tree_is_on_host assert_tree_no_nones": "tree=P",
        "assert_tree_is_on_device": "tree=P, platform='cpu'",
        "assert_tree_shape": "tree=[M], expected_shape=(3, 4)",
        "assert_tree_shape_prefix": "tree=[M], shape_prefix=(3,)",
        "assert_tree_shape_suffix": "tree=[M], shape_suffix=(4,)",
        "assert_trees_all_close assert_trees_all_close_ulp assert_trees_all_equal "
        "assert_trees_all_equal_dtypes assert_trees_all_equal_shapes "
        "assert_trees_all_equal_shapes_and_dtypes assert_trees_all_equal_sizes "
        "assert_trees_all_equal_structs": "_args=(P, P)",
        "assert_type": "inputs=M, expected_types=jnp.float32",
        "assert_devices_available": "n=1, devtype='cpu'",
    },
    "jmp": {
        "all_finite cast_to_full cast_to_half": "tree=P",
        "half_dtype NoOpLossScale": "",
        "select_tree": "pred=Q, a=P, b=P",
        "get_policy": "policy_name='full'",
        "StaticLossScale DynamicLossScale": "loss_scale=S",
    },
}

#: Haiku functions that only work inside a transformed function.
HAIKU_FUNCTIONS: Samples = {
    "haiku": {
        "get_parameter": "name='w', shape=(4,), init=hk.initializers.Constant(1.0)",
        "get_state": "name='s', shape=(4,), init=jnp.ones",
        "set_state": "name='s', value=V",
        "next_rng_key maybe_next_rng_key running_init current_name get_params get_current_state "
        "get_initial_state": "",
        "next_rng_keys reserve_rng_keys": "num=2",
        "dynamic_unroll static_unroll": (
            "core=hk.LSTM(4), input_sequence=B, initial_state=hk.LSTMState(M, M)"
        ),
        "deep_rnn_with_skip_connections": "layers=[hk.VanillaRNN(4)]",
    },
}

#: Learning-rate schedules: the result is called with a traced count.
SCHEDULES: Samples = {
    "optax": {
        "constant_schedule": "value=0.1",
        "cosine_decay_schedule": "init_value=0.1, decay_steps=10",
        "cosine_onecycle_schedule linear_onecycle_schedule": "transition_steps=10, peak_value=0.1",
        "exponential_decay": "init_value=0.1, transition_steps=10, decay_rate=0.9, end_value=0.01",
        "join_schedules": "schedules=[optax.constant_schedule(0.1)] * 2, boundaries=[5]",
        "linear_schedule": "init_value=0.1, end_value=0.0, transition_steps=10",
        "piecewise_constant_schedule": "init_value=0.1, boundaries_and_scales={5: 0.1}",
        "piecewise_interpolate_schedule": (
            "interpolate_type='linear', init_value=0.1, boundaries_and_scales={5: 0.1}"
        ),
        "polynomial_schedule": "init_value=0.1, end_value=0.0, power=2, transition_steps=10",
        "sgdr_schedule": (
            "cosine_kwargs=[dict(init_value=0.0, peak_value=0.1, warmup_steps=2, decay_steps=10)]"
        ),
        "warmup_constant_schedule": "init_value=0.0, peak_value=0.1, warmup_steps=2",
        "warmup_cosine_decay_schedule": (
            "init_value=0.0, peak_value=0.1, warmup_steps=2, decay_steps=10"
        ),
        "warmup_exponential_decay_schedule": (
            "init_value=0.0, peak_value=0.1, warmup_steps=2, transition_steps=10, decay_rate=0.9"
        ),
    },
    "flax.training.lr_schedule": {
        "create_constant_learning_rate_schedule": "base_learning_rate=0.1, steps_per_epoch=10",
        "create_cosine_learning_rate_schedule": (
            "base_learning_rate=0.1, steps_per_epoch=10, halfcos_epochs=2"
        ),
        "create_stepped_learning_rate_schedule": (
            "base_learning_rate=0.1, steps_per_epoch=10, lr_sched_steps=[[1, 0.1]]"
        ),
    },
}

#: Gradient transformations: built, then ``init`` and ``update`` are called. ``_extra`` holds the
#: further arguments some of them want in ``update``, ``_params`` parameters of another shape.
GRADIENT_TRANSFORMATIONS: Samples = {
    "optax": {
        "adabelief adadelta adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars "
        "lion nadam nadamw novograd optimistic_adam optimistic_adam_v2 "
        "optimistic_gradient_descent radam rprop sign_sgd signum sm3 yogi "
        "scale_by_learning_rate scale_by_rprop adafactor contrib.acprop contrib.ademamix "
        "contrib.adopt contrib.dog contrib.dowg contrib.madgrad contrib.muon "
        "contrib.schedule_free_adamw contrib.schedule_free_sgd contrib.simplified_ademamix": (
            "learning_rate=0.1"
        ),
        "rmsprop sgd": "learning_rate=0.1, momentum=0.9",
        "centralize identity normalize_by_update_norm scale_by_adadelta scale_by_adam "
        "scale_by_adamax scale_by_adan scale_by_amsgrad scale_by_belief "
        "scale_by_distance_over_gradients scale_by_factored_rms scale_by_lbfgs scale_by_lion "
        "scale_by_novograd scale_by_optimistic_gradient scale_by_param_block_norm "
        "scale_by_param_block_rms scale_by_radam scale_by_rms scale_by_rss scale_by_sign "
        "scale_by_sm3 scale_by_stddev scale_by_trust_ratio scale_by_yogi set_to_zero zero_nans "
        "keep_params_nonnegative contrib.scale_by_acprop contrib.scale_by_ademamix "
        "contrib.scale_by_adopt contrib.scale_by_cocob contrib.scale_by_simplified_ademamix "
        "contrib.cocob contrib.dadapt_adamw contrib.normalize contrib.prodigy": "",
        "adaptive_grad_clip": "clipping=0.1",
        "add_decayed_weights": "weight_decay=0.1",
        "add_noise": "eta=0.1, gamma=0.5, key=0",
        "apply_every": "k=2",
        "apply_if_finite": "inner=optax.sgd(0.1), max_consecutive_errors=2",
        "chain": "_args=(optax.clip(1.0), optax.sgd(0.1))",
        "named_chain": "_args=(('a', optax.clip(1.0)), ('b', optax.sgd(0.1)))",
        "clip": "max_delta=1.0",
        "clip_by_block_rms": "threshold=1.0",
        "clip_by_global_norm": "max_norm=1.0",
        "conditionally_mask conditionally_transform": (
            "inner=optax.sgd(0.1), should_transform_fn=lambda step: step > 1"
        ),
        "ema trace": "decay=0.9",
        "flatten contrib.split_real_and_imaginary": "inner=optax.sgd(0.1)",
        "freeze": "mask={'w': True, 'b': False}",
        "selective_transform": "optimizer=optax.sgd(0.1), freeze_mask={'w': True, 'b': False}",
        "lookahead": (
            "fast_optimizer=optax.sgd(0.1), sync_period=2, slow_step_size=0.5, reset_state=False, "
            "_params=optax.LookaheadParams.init_synced(P)"
        ),
        "masked": "inner=optax.sgd(0.1), mask={'w': True, 'b': False}",
        "multi_transform partition": (
            "transforms={'a': optax.sgd(0.1)}, param_labels={'w': 'a', 'b': 'a'}"
        ),
        "noisy_sgd": "learning_rate=0.1, key=0",
        "polyak_sgd scale_by_polyak": "max_learning_rate=0.1, _extra=dict(value=S)",
        "scale": "step_size=0.1",
        "scale_by_schedule": "step_size_fn=optax.linear_schedule(0.1, 0.0, 10)",
        "stateless stateless_with_tree_map": "f=lambda u, p: u",
        "with_extra_args_support": "tx=optax.sgd(0.1)",
        "snapshot": "measure_name='a', measure=lambda u: u",
        "lbfgs": "learning_rate=0.1, linesearch=None",
        "scale_by_backtracking_linesearch": (
            "max_backtracking_steps=3, _params=V, _extra=dict(value=S, grad=V, "
            "value_fn=lambda x: (x * x).sum())"
        ),
        "scale_by_zoom_linesearch": (
            "max_linesearch_steps=3, _params=V, _extra=dict(value=S, grad=V, "
            "value_fn=lambda x: (x * x).sum())"
        ),
        "contrib.sam": "optimizer=optax.sgd(0.1), adv_optimizer=optax.sgd(0.1)",
        "contrib.mechanize": "base_optimizer=optax.sgd(0.1)",
        "contrib.momo contrib.momo_adam contrib.reduce_on_plateau": "_extra=dict(value=S)",
        "contrib.schedule_free": "base_optimizer=optax.sgd(0.1), learning_rate=0.1",
    },
}


#: Layers: how one is built | how the instance is called.
LAYERS: Samples = {
    "flax.linen": {
        "BatchApply": "f=lambda x: x, num_dims=2| _args=(B,)",
        "BatchNorm": "momentum=0.9| x=M, use_running_average=False",
        "Bidirectional": (
            "forward_rnn=nn.RNN(nn.GRUCell(4)), backward_rnn=nn.RNN(nn.GRUCell(4))| inputs=B"
        ),
        "Conv": "features=4, kernel_size=(3, 3), strides=(1, 1)| inputs=IMG",
        "ConvLocal ConvTranspose": "features=4, kernel_size=(3, 3)| inputs=IMG",
        "ConvLSTMCell": (
            "features=4, kernel_size=(3, 3)| carry=(IMG[..., :1].repeat(4, -1),) * 2, inputs=IMG"
        ),
        "Dense DenseGeneral": "features=4| inputs=M",
        "Dropout": "rate=0.5| inputs=M, deterministic=False",
        "Einsum": "shape=(4, 2), einsum_str='ab,bc->ac'| inputs=M",
        "Embed": "num_embeddings=5, features=4| inputs=I",
        "GRUCell MGUCell SimpleCell": "features=4| carry=M, inputs=M",
        "GroupNorm": "num_groups=2| x=M",
        "InstanceNorm": "| x=B",
        "LSTMCell OptimizedLSTMCell": "features=4| carry=(M, M), inputs=M",
        "LayerNorm RMSNorm": "| x=M",
        "MultiHeadAttention MultiHeadDotProductAttention SelfAttention": (
            "num_heads=2, dropout_rate=0.5| inputs_q=B, deterministic=False"
        ),
        "PReLU": "| inputs=M",
        "RNN": "cell=nn.GRUCell(4), return_carry=False| inputs=B",
        "Sequential": "layers=[nn.Dense(4)]| _args=(M,)",
        "SpectralNorm": "layer_instance=nn.Dense(4)| _args=(M,), update_stats=True",
        "WeightNorm": "layer_instance=nn.Dense(4)| _args=(M,)",
    },
    "flax.nnx": {
        "BatchNorm": "num_features=4| x=M, use_running_average=False",
        "Bidirectional": (
            "forward_rnn=nnx.RNN(nnx.GRUCell(4, 4, rngs=nnx.Rngs(K))), "
            "backward_rnn=nnx.RNN(nnx.GRUCell(4, 4, rngs=nnx.Rngs(K)))| inputs=B"
        ),
        "Conv ConvTranspose": "in_features=3, out_features=4, kernel_size=(3, 3)| inputs=IMG",
        "Dropout": "rate=0.5| inputs=M, deterministic=False",
        "Einsum": "einsum_str='ab,bc->ac', kernel_shape=(4, 2)| inputs=M",
        "Embed": "num_embeddings=5, features=4| inputs=I",
        "GRUCell SimpleCell": "in_features=4, hidden_features=4| carry=M, inputs=M",
        "LSTMCell OptimizedLSTMCell": "in_features=4, hidden_features=4| carry=(M, M), inputs=M",
        "GroupNorm": "num_features=4, num_groups=2| x=M",
        "InstanceNorm": "num_features=4| x=B",
        "LayerNorm RMSNorm": "num_features=4| x=M",
        "Linear LinearGeneral": "in_features=4, out_features=2| inputs=M",
        "LoRA LoRALinear": "in_features=4, lora_rank=2, out_features=2| x=M",
        "MultiHeadAttention": (
            "num_heads=2, in_features=4, dropout_rate=0.5, decode=False| inputs_q=B, "
            "deterministic=False"
        ),
        "PReLU": "| inputs=M",
        "RNN": "cell=nnx.GRUCell(4, 4, rngs=nnx.Rngs(K))| inputs=B",
        "Sequential": "_args=(nnx.Linear(4, 4, rngs=nnx.Rngs(K)),)| _args=(M,)",
        "SpectralNorm WeightNorm": "layer_instance=nnx.Linear(4, 4, rngs=nnx.Rngs(K))| x=M",
    },
    "equinox.nn": {
        "AdaptiveAvgPool1d AdaptiveMaxPool1d": "target_shape=2| x=CHW[0]",
        "AdaptiveAvgPool2d AdaptiveMaxPool2d": "target_shape=2| x=CHW",
        "AdaptiveAvgPool3d AdaptiveMaxPool3d": "target_shape=1| x=CHW[None]",
        "AdaptivePool": "target_shape=2, num_spatial_dims=2, operation=jnp.max| x=CHW",
        "AvgPool1d MaxPool1d": "kernel_size=2| x=CHW[0]",
        "AvgPool2d MaxPool2d": "kernel_size=2| x=CHW",
        "AvgPool3d MaxPool3d": "kernel_size=1| x=CHW[None]",
        "Pool": "init=0.0, operation=lax.add, num_spatial_dims=2, kernel_size=2| x=CHW",
        "Conv ConvTranspose": (
            "num_spatial_dims=2, in_channels=3, out_channels=4, kernel_size=3, key=K| x=CHW"
        ),
        "Conv1d ConvTranspose1d": "in_channels=8, out_channels=4, kernel_size=3, key=K| x=CHW[0]",
        "Conv2d ConvTranspose2d": "in_channels=3, out_channels=4, kernel_size=3, key=K| x=CHW",
        "Conv3d ConvTranspose3d": (
            "in_channels=1, out_channels=4, kernel_size=3, key=K| x=CHW[None]"
        ),
        "BatchNorm": "input_size=4, axis_name='batch', mode='batch'| x=M",
        "SpectralNorm": "layer=eqx.nn.Linear(4, 4, key=K), weight_name='weight', key=K| x=V",
        "Dropout": "p=0.5, inference=False| x=V, key=K, inference=False",
        "Embedding": "num_embeddings=5, embedding_size=4, key=K| x=N",
        "GRUCell": "input_size=4, hidden_size=4, key=K| input=V, hidden=V",
        "LSTMCell": "input_size=4, hidden_size=4, key=K| input=V, hidden=(V, V)",
        "GroupNorm": "groups=1, channels=3| x=CHW",
        "Identity PReLU": "| x=V",
        "Lambda": "fn=jnp.sin| x=V",
        "LayerNorm RMSNorm": "shape=4| x=V",
        "Linear": "in_features=4, out_features=2, key=K| x=V",
        "MLP": "in_size=4, out_size=2, width_size=4, depth=2, key=K| x=V",
        "MultiheadAttention": (
            "num_heads=2, query_size=4, dropout_p=0.5, key=K| query=M, key_=M, value=M, key=K, "
            "inference=False"
        ),
        "RotaryPositionalEmbedding": "embedding_size=4| x=M",
        "Sequential": "layers=[eqx.nn.Linear(4, 4, key=K)]| x=V",
        "WeightNorm": "layer=eqx.nn.Linear(4, 4, key=K)| x=V",
    },
    "haiku": {
        "AvgPool MaxPool": "window_shape=2, strides=2, padding='SAME'| value=IMG",
        "BatchApply": "f=lambda x: x| _args=(B,)",
        "BatchNorm": (
            "create_scale=True, create_offset=True, decay_rate=0.9| inputs=M, is_training=True"
        ),
        "Bias": "| inputs=M",
        "Conv1D Conv1DTranspose": "output_channels=4, kernel_shape=3| inputs=B",
        "Conv2D Conv2DTranspose": "output_channels=4, kernel_shape=3| inputs=IMG",
        "Conv3D Conv3DTranspose": "output_channels=4, kernel_shape=3| inputs=VOL",
        "ConvND ConvNDTranspose": (
            "num_spatial_dims=2, output_channels=4, kernel_shape=3| inputs=IMG"
        ),
        "DepthwiseConv1D": "channel_multiplier=1, kernel_shape=3| inputs=B",
        "DepthwiseConv2D SeparableDepthwiseConv2D": (
            "channel_multiplier=1, kernel_shape=3| inputs=IMG"
        ),
        "DepthwiseConv3D": "channel_multiplier=1, kernel_shape=3| inputs=VOL",
        "Conv2DLSTM": (
            "input_shape=(8, 8), output_channels=3, kernel_shape=3| inputs=IMG, "
            "state=hk.LSTMState(IMG, IMG)"
        ),
        "DeepRNN": "layers=[hk.VanillaRNN(4)]| inputs=M, state=(M,)",
        "EMAParamsTree": "decay=0.9| tree={'l': P}",
        "SNParamsTree": "eps=0.1| tree={'l': {'w': M}}",
        "ExponentialMovingAverage": "decay=0.9| value=M",
        "SpectralNorm": "eps=0.1| value=M",
        "Embed": "vocab_size=5, embed_dim=4| ids=I",
        "Flatten": "| inputs=B",
        "GRU": "hidden_size=4| inputs=M, state=M",
        "LSTM": "hidden_size=4| inputs=M, prev_state=hk.LSTMState(M, M)",
        "VanillaRNN": "hidden_size=4| inputs=M, prev_state=M",
        "IdentityCore": "| inputs=M, state=()",
        "ResetCore": "core=hk.LSTM(4)| inputs=(M, I > 1), state=hk.LSTMState(M, M)",
        "GroupNorm": "groups=2| x=M",
        "InstanceNorm": "create_scale=True, create_offset=True| inputs=IMG",
        "LayerNorm": "axis=-1, create_scale=True, create_offset=True| inputs=M",
        "RMSNorm": "axis=-1| inputs=M",
        "Linear": "output_size=4| inputs=M",
        "MultiHeadAttention": (
            "num_heads=2, key_size=4, w_init=hk.initializers.Constant(1.0)| query=B, key=B, value=B"
        ),
        "Reshape": "output_shape=(2, 6)| inputs=B",
        "Sequential": "layers=[jnp.sin]| inputs=M",
    },
    "haiku.initializers": {
        "Constant": "constant=1.0| shape=(4, 2), dtype=jnp.float32",
        "Identity": "gain=1.0| shape=(4, 4), dtype=jnp.float32",
        "Orthogonal": "scale=1.0| shape=(4, 4), dtype=jnp.float32",
        "RandomNormal TruncatedNormal": "stddev=1.0| shape=(4, 2), dtype=jnp.float32",
        "RandomUniform": "minval=0.0| shape=(4, 2), dtype=jnp.float32",
        "UniformScaling VarianceScaling": "scale=1.0| shape=(4, 2), dtype=jnp.float32",
    },
    "haiku.nets": {
        "MLP": "output_sizes=[4, 2]| inputs=M, dropout_rate=0.5, rng=K",
        "MobileNetV1": "num_classes=2, strides=(1,), channels=(4,)| inputs=IMG, is_training=True",
        "ResNet18": "num_classes=2| inputs=IMG, is_training=True",
        "VectorQuantizer": (
            "embedding_dim=4, num_embeddings=3, commitment_cost=0.1| inputs=M, is_training=True"
        ),
        "VectorQuantizerEMA": (
            "embedding_dim=4, num_embeddings=3, commitment_cost=0.1, decay=0.9| inputs=M, "
            "is_training=True"
        ),
    },
}


_RESNET = "not run: the same class with other depths"

#: Names that are taken from another row, without a run of their own.
LIKE: dict[str, tuple[str, str]] = {
    **{f"haiku.nets.ResNet{depth}": ("haiku.nets.ResNet18", _RESNET)
       for depth in (34, 50, 101, 152, 200)},
    "haiku.Conv1DLSTM": ("haiku.Conv2DLSTM", "not run: Conv2DLSTM was"),
    "haiku.Conv3DLSTM": ("haiku.Conv2DLSTM", "not run: Conv2DLSTM was"),
}  # fmt: skip

_WRAPS = "gives what the wrapped callable gives"
_CHEXIFY = "value assertion: works in functions under chex.chexify"

#: What a run of one sample cannot tell: fields of the row that replace the measured ones.
CORRECTIONS: dict[str, dict[str, str]] = {
    **{
        name: {"call_returns": "tree", "note": _WRAPS}
        for name in (
            "flax.linen.Sequential flax.linen.SpectralNorm flax.linen.WeightNorm"
            " flax.linen.BatchApply flax.nnx.Sequential flax.nnx.SpectralNorm flax.nnx.WeightNorm"
            " equinox.nn.Sequential equinox.nn.WeightNorm equinox.nn.Lambda equinox.nn.Identity"
            " haiku.Sequential haiku.BatchApply"
        ).split()
    },
    **{
        name: {"call_returns": "tree", "note": "return_carry=True gives (carry, output)"}
        for name in (
            "flax.linen.RNN flax.linen.Bidirectional flax.nnx.RNN flax.nnx.Bidirectional"
        ).split()
    },
    **{
        f"equinox.nn.{name}": {"note": "with state= the call gives (array, state)"}
        for name in ("LayerNorm", "RMSNorm", "GroupNorm")
    },
    **{
        f"chex.{name}": {"note": _CHEXIFY}
        for name in (
            "assert_tree_all_finite assert_trees_all_close assert_trees_all_close_ulp"
            " assert_trees_all_equal"
        ).split()
    },
    "chex.assert_equal": {
        "fails": "TracerBoolConversionError ValueError",
        "note": "ValueError for more than one element",
    },
    "equinox.is_inexact_array_like": {
        "returns": "static",
        "fails": "",
        "note": "Equinox 0.13.8 raises TypeError for a tracer of JAX 0.10.2: a fault of its own",
    },
    "flax.linen.get_partition_spec": {"returns": "static"},
    "flax.linen.merge_param": {"returns": "unknown", "note": "gives the argument that is set"},
    "flax.nnx.pop": {"returns": "tree", "note": "the sample had nothing to pop"},
    "haiku.get_params": {"returns": "tree", "note": "the sample had no parameters"},
    "optax.tree.dtype": {"returns": "static"},
    "optax.tree.get": {"returns": "unknown", "note": "gives the entry of that name"},
    "optax.tree.get_all_with_path": {"returns": "unknown"},
    "flax.nnx.data": {"returns": "argument", "note": "gives its argument, marked as data"},
    "flax.nnx.static": {"returns": "argument", "note": "gives its argument"},
    "optax.tree.batch_shape": {"note": "a tree of arrays with a leading shape"},
    "optax.constant_schedule": {"note": "the schedule gives back the very value it was made of"},
    "flax.training.lr_schedule.create_constant_learning_rate_schedule": {
        "note": "the schedule gives back the very value it was made of"
    },
    "equinox.nn.Dropout": {"note": "inference=True gives the input without needing a key"},
}
