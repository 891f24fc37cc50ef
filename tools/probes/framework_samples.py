"""Sample calls from which the facts about optax, Flax, Equinox, Haiku and Chex are probed.

Nothing here imports a framework: each sample is the text of keyword arguments, evaluated by
:mod:`jitlint.jaxmodel.probe_frameworks` where these names stand for arrays that arrive traced:

``V`` f32[4], ``M`` f32[3,4], ``SQ`` f32[4,4], ``B`` f32[2,3,4], ``IMG`` f32[1,8,8,3],
``CHW`` f32[3,8,8], ``VOL`` f32[1,4,4,4,3], ``I`` i32[3], ``N`` i32[], ``S`` f32[], ``Q`` bool[],
``MASK`` bool[3,4], ``K`` a random key, ``P`` a dict of two arrays.

Everything else in a sample (numbers, flags, shapes) is first passed as a Python value and then, one
parameter at a time, traced, to see whether it must be static. Parameters that a sample leaves out
and whose default is a number, a flag or a tuple of numbers are traced in the same way. The key
``_args`` gives positional arguments.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    # optax: losses
    "optax.losses.binary_dice_loss": "predictions=M, targets=M",
    "optax.losses.dice_loss": "predictions=M, targets=M",
    "optax.losses.multiclass_generalized_dice_loss": "predictions=M, targets=M",
    "optax.convex_kl_divergence": "log_predictions=M, targets=M",
    "optax.cosine_distance": "predictions=M, targets=M, axis=-1, epsilon=0.1",
    "optax.cosine_similarity": "predictions=M, targets=M, axis=-1, epsilon=0.1",
    "optax.ctc_loss": "logits=B, logit_paddings=B[:, :, 0], labels=I[None].repeat(2, 0),"
    " label_paddings=B[:, :, 0]",
    "optax.ctc_loss_with_forward_probs": "logits=B, logit_paddings=B[:, :, 0],"
    " labels=I[None].repeat(2, 0), label_paddings=B[:, :, 0]",
    "optax.generalized_kl_divergence": "log_predictions=M, targets=M",
    "optax.hinge_loss": "predictor_outputs=V, targets=V",
    "optax.huber_loss": "predictions=M, targets=M",
    "optax.kl_divergence": "log_predictions=M, targets=M",
    "optax.losses.kl_divergence_with_log_targets": "log_predictions=M, log_targets=M",
    "optax.l2_loss": "predictions=M, targets=M",
    "optax.log_cosh": "predictions=M, targets=M",
    "optax.losses.multiclass_hinge_loss": "scores=M, labels=I",
    "optax.losses.multiclass_perceptron_loss": "scores=M, labels=I",
    "optax.losses.multiclass_sparsemax_loss": "scores=M, labels=I",
    "optax.ntxent": "embeddings=M, labels=I",
    "optax.losses.perceptron_loss": "predictor_outputs=V, targets=V",
    "optax.losses.poly_loss_cross_entropy": "logits=M, labels=M",
    "optax.losses.ranking_softmax_loss": "logits=M, labels=M",
    "optax.safe_softmax_cross_entropy": "logits=M, labels=M",
    "optax.sigmoid_binary_cross_entropy": "logits=M, labels=M",
    "optax.sigmoid_focal_loss": "logits=M, labels=M, alpha=0.5",
    "optax.smooth_labels": "labels=M, alpha=0.1",
    "optax.softmax_cross_entropy": "logits=M, labels=M",
    "optax.softmax_cross_entropy_with_integer_labels": "logits=M, labels=I",
    "optax.losses.sparsemax_loss": "logits=V, labels=V",
    "optax.squared_error": "predictions=M, targets=M",
    "optax.losses.triplet_margin_loss": "anchors=M, positives=M, negatives=M",
    # optax: trees and updates
    "optax.apply_updates": "params=P, updates=P",
    "optax.incremental_update": "new_tensors=P, old_tensors=P, step_size=0.1",
    "optax.periodic_update": "new_tensors=P, old_tensors=P, steps=N, update_period=2",
    "optax.global_norm": "updates=P",
    "optax.update_moment": "updates=P, moments=P, decay=0.9, order=2",
    "optax.update_moment_per_elem_norm": "updates=P, moments=P, decay=0.9, order=2",
    "optax.update_infinity_moment": "updates=P, moments=P, decay=0.9, eps=0.1",
    "optax.bias_correction": "moment=P, decay=0.9, count=N",
    "optax.safe_norm": "x=V, min_norm=0.1",
    "optax.safe_root_mean_squares": "x=V, min_rms=0.1",
    "optax.safe_increment": "count=N",
    "optax.safe_int32_increment": "count=N",
    "optax.scale_gradient": "inputs=P, scale=0.5",
    "optax.multi_normal": "loc=V, log_scale=V",
    "optax.power_iteration": "matrix=SQ",
    "optax.matrix_inverse_pth_root": "matrix=SQ, p=4",
    "optax.nnls": "A=M, b=I * 1.0, iters=2",
    "optax.per_example_global_norm_clip": "grads=[M], l2_norm_clip=1.0",
    "optax.per_example_layer_norm_clip": "grads=[M], global_l2_norm_clip=1.0",
    "optax.transforms.unitwise_norm": "x=M",
    "optax.transforms.unitwise_clip": "g_norm=M, max_norm=M, grad=M",
    "optax.skip_not_finite": "updates=P, gradient_step=N, params=P",
    "optax.skip_large_updates": "updates=P, gradient_step=N, params=P, max_squared_norm=1.0",
    "optax.tree_map_params": "_args=(optax.adam(0.1), lambda x: x, optax.adam(0.1).init(P))",
    "optax.tree.get": "tree=optax.adam(0.1).init(P), key='count'",
    "optax.tree.get_all_with_path": "tree=optax.adam(0.1).init(P), key='count'",
    "optax.tree.set": "_args=(optax.adam(0.1).init(P),), count=N",
    "optax.contrib.schedule_free_eval_params": "state=optax.contrib.schedule_free("
    "optax.sgd(0.1), 0.1).init(P), params=P",
    "optax.tree.add": "_args=(P, P)",
    "optax.tree.add_scale": "tree_x=P, scalar=0.5, tree_y=P",
    "optax.tree.allclose": "a=P, b=P",
    "optax.tree.batch_shape": "tree=P, shape=(2,)",
    "optax.tree.cast": "tree=P, dtype=jnp.float16",
    "optax.tree.cast_like": "tree=P, other_tree=P",
    "optax.tree.clip": "tree=P, min_value=0.0, max_value=1.0",
    "optax.tree.conj": "tree=P",
    "optax.tree.div": "tree_x=P, tree_y=P",
    "optax.tree.dtype": "tree=P",
    "optax.tree.full_like": "tree=P, fill_value=1.0",
    "optax.tree.max": "tree=P",
    "optax.tree.min": "tree=P",
    "optax.tree.mul": "tree_x=P, tree_y=P",
    "optax.tree.norm": "tree=P, ord=2",
    "optax.tree.ones_like": "tree=P",
    "optax.tree.random_like": "rng_key=K, target_tree=P",
    "optax.tree.real": "tree=P",
    "optax.tree.scale": "scalar=0.5, tree=P",
    "optax.tree.size": "tree=P",
    "optax.tree.split_key_like": "rng_key=K, target_tree=P",
    "optax.tree.sub": "tree_x=P, tree_y=P",
    "optax.tree.sum": "tree=P",
    "optax.tree.vdot": "tree_x=P, tree_y=P",
    "optax.tree.where": "condition=Q, tree_x=P, tree_y=P",
    "optax.tree.zeros_like": "tree=P",
    "optax.projections.projection_box": "tree=V, lower=0.0, upper=1.0",
    "optax.projections.projection_halfspace": "x=V, a=V, b=0.5",
    "optax.projections.projection_hypercube": "tree=V",
    "optax.projections.projection_hyperplane": "x=V, a=V, b=0.5",
    "optax.projections.projection_l1_ball": "tree=P",
    "optax.projections.projection_l1_sphere": "tree=P",
    "optax.projections.projection_l2_ball": "tree=P",
    "optax.projections.projection_l2_sphere": "tree=P",
    "optax.projections.projection_linf_ball": "tree=P",
    "optax.projections.projection_non_negative": "tree=P",
    "optax.projections.projection_simplex": "tree=P",
    "optax.projections.projection_vector": "x=V, a=V",
    "optax.assignment.hungarian_algorithm": "cost_matrix=SQ",
    "optax.assignment.base_hungarian_algorithm": "cost_matrix=SQ",
    # flax.linen and flax.nnx functions that are not those of jax.nn
    "flax.linen.avg_pool": "inputs=IMG, window_shape=(2, 2), strides=(2, 2)",
    "flax.linen.max_pool": "inputs=IMG, window_shape=(2, 2), strides=(2, 2)",
    "flax.linen.pool": "inputs=IMG, init=0.0, reduce_fn=lax.add, window_shape=(2, 2),"
    " strides=(2, 2), padding='SAME'",
    "flax.linen.pooling.min_pool": "inputs=IMG, window_shape=(2, 2), strides=(2, 2)",
    "flax.linen.dot_product_attention": "query=B[:, :, None], key=B[:, :, None],"
    " value=B[:, :, None], deterministic=True",
    "flax.linen.dot_product_attention_weights": "query=B[:, :, None], key=B[:, :, None],"
    " deterministic=True",
    "flax.linen.make_attention_mask": "query_input=M, key_input=M",
    "flax.linen.make_causal_mask": "x=M",
    "flax.linen.combine_masks": "_args=(MASK, MASK)",
    "flax.linen.merge_param": "name='deterministic', a=None, b=True",
    "flax.linen.with_logical_constraint": "x=M, logical_axis_resources=('a', 'b')",
    "flax.linen.unbox": "tree=P",
    "flax.linen.get_partition_spec": "tree=P",
    "flax.linen.zeros_init": "",
    "flax.linen.ones_init": "",
    "flax.nnx.avg_pool": "inputs=IMG, window_shape=(2, 2), strides=(2, 2)",
    "flax.nnx.max_pool": "inputs=IMG, window_shape=(2, 2), strides=(2, 2)",
    "flax.nnx.min_pool": "inputs=IMG, window_shape=(2, 2), strides=(2, 2)",
    "flax.nnx.dot_product_attention": "query=B[:, :, None], key=B[:, :, None],"
    " value=B[:, :, None], deterministic=True",
    "flax.nnx.make_attention_mask": "query_input=M, key_input=M",
    "flax.nnx.make_causal_mask": "x=M",
    "flax.nnx.combine_masks": "_args=(MASK, MASK)",
    "flax.nnx.state": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)),)",
    "flax.nnx.split": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)),)",
    "flax.nnx.merge": "_args=nnx.split(nnx.Linear(4, 2, rngs=nnx.Rngs(K)))",
    "flax.nnx.clone": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)),)",
    "flax.nnx.graphdef": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)),)",
    "flax.nnx.pop": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)), nnx.Intermediate)",
    "flax.nnx.to_flat_state": "_args=(nnx.state(nnx.Linear(4, 2, rngs=nnx.Rngs(K))),)",
    "flax.nnx.to_pure_dict": "_args=(nnx.state(nnx.Linear(4, 2, rngs=nnx.Rngs(K))),)",
    "flax.nnx.variables": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)),)",
    "flax.nnx.pure": "_args=(P,)",
    "flax.nnx.data": "_args=(P,)",
    "flax.nnx.static": "_args=(3,)",
    "flax.nnx.is_data": "_args=(V,)",
    "flax.nnx.has_data": "_args=(P,)",
    "flax.nnx.update": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)),"
    " nnx.state(nnx.Linear(4, 2, rngs=nnx.Rngs(K))))",
    "flax.nnx.flatten": "_args=(nnx.Linear(4, 2, rngs=nnx.Rngs(K)),)",
    "flax.nnx.unflatten": "_args=nnx.split(nnx.Linear(4, 2, rngs=nnx.Rngs(K)))",
    "flax.nnx.fork_rngs": "_args=(nnx.Rngs(K),)",
    "flax.nnx.display": "_args=(3,)",
    "flax.nnx.with_partitioning": "initializer=nn.initializers.ones, sharding=('a', 'b')",
    "flax.nnx.with_metadata": "initializer=nn.initializers.ones",
    "flax.linen.with_partitioning": "fn=nn.initializers.ones, names=('a', 'b')",
    "flax.linen.with_logical_partitioning": "fn=nn.initializers.ones, names=('a', 'b')",
    # flax: the rest
    "flax.core.freeze": "xs=P",
    "flax.core.unfreeze": "x=P",
    "flax.core.copy": "x=P, add_or_replace=P",
    "flax.core.pop": "x=P, key='w'",
    "flax.traverse_util.flatten_dict": "xs=P",
    "flax.traverse_util.unflatten_dict": "xs=P",
    "flax.traverse_util.path_aware_map": "f=lambda p, x: x, nested_dict=P",
    "flax.serialization.to_state_dict": "target=P",
    "flax.serialization.from_state_dict": "target=P, state=P",
    "flax.serialization.to_bytes": "target=P",
    "flax.training.common_utils.onehot": "labels=I, num_classes=4",
    "flax.training.common_utils.shard": "xs=P",
    "flax.training.common_utils.stack_forest": "forest=[P, P]",
    "flax.jax_utils.unreplicate": "tree=P",
    "flax.jax_utils.replicate": "tree=P",
    # equinox
    "equinox.apply_updates": "model=P, updates=P",
    "equinox.combine": "_args=(P, P)",
    "equinox.partition": "pytree=P, filter_spec=eqx.is_array",
    "equinox.filter": "pytree=P, filter_spec=eqx.is_array",
    "equinox.is_array": "element=V",
    "equinox.is_array_like": "element=V",
    "equinox.is_inexact_array": "element=V",
    "equinox.is_inexact_array_like": "_args=(V,)",
    "equinox.tree_at": "where=lambda t: t['w'], pytree=P, replace=M",
    "equinox.tree_equal": "_args=(P, P)",
    "equinox.tree_check": "pytree=[M]",
    "equinox.tree_inference": "pytree=P, value=True",
    "equinox.tree_pformat": "pytree=P",
    "equinox.tree_pprint": "pytree=P",
    "equinox.error_if": "x=P, pred=Q, msg='negative'",
    "equinox.branched_error_if": "x=P, pred=Q, index=N, msgs=['a', 'b']",
    "equinox.filter_shard": "x=P, device_or_shardings=jax.devices()[0]",
    "equinox.nn.inference_mode": "pytree=P",
    "equinox.nn.delete_init_state": "model=P",
    "equinox.debug.store_dce": "x=P",
    "equinox.clear_caches": "",
    "equinox.nn.make_with_state": "make_model=eqx.nn.Linear",
    "equinox.debug.backward_nan": "x=P",
    "equinox.debug.breakpoint_if": "pred=Q",
    "equinox.debug.announce_transform": "x=P",
    "equinox.internal.unvmap_all": "x=MASK",
    "equinox.internal.unvmap_any": "x=MASK",
    "equinox.internal.unvmap_max": "x=I",
    "equinox.internal.nextafter": "x=V",
    "equinox.internal.prevbefore": "x=V",
    "equinox.internal.left_broadcast_to": "arr=V, shape=(4, 2)",
    # haiku: functions outside modules
    "haiku.avg_pool": "value=IMG, window_shape=2, strides=2, padding='SAME'",
    "haiku.max_pool": "value=IMG, window_shape=2, strides=2, padding='SAME'",
    "haiku.dropout": "rng=K, rate=0.5, x=V",
    "haiku.multinomial": "rng=K, logits=M, num_samples=2",
    "haiku.one_hot": "x=I, num_classes=4",
    "haiku.PRNGSequence": "key_or_seed=K",
    "haiku.pad.same": "_args=(3,)",
    "haiku.data_structures.tree_size": "tree={'l': P}",
    "haiku.data_structures.tree_bytes": "tree={'l': P}",
    "haiku.data_structures.to_mutable_dict": "mapping={'l': P}",
    "haiku.data_structures.merge": "_args=({'l': P}, {'m': P})",
    "haiku.data_structures.filter": "predicate=lambda m, n, v: True, structure={'l': P}",
    "haiku.data_structures.partition": "predicate=lambda m, n, v: True, structure={'l': P}",
    "haiku.data_structures.map": "fn=lambda m, n, v: v, structure={'l': P}",
    # chex
    "chex.assert_axis_dimension": "tensor=M, axis=1, expected=4",
    "chex.assert_axis_dimension_gt": "tensor=M, axis=1, val=2",
    "chex.assert_axis_dimension_gteq": "tensor=M, axis=1, val=2",
    "chex.assert_axis_dimension_lt": "tensor=M, axis=1, val=9",
    "chex.assert_axis_dimension_lteq": "tensor=M, axis=1, val=9",
    "chex.assert_equal": "first=S, second=S",
    "chex.assert_equal_rank": "inputs=[M, M]",
    "chex.assert_equal_shape": "inputs=[M, M]",
    "chex.assert_equal_shape_prefix": "inputs=[M, M], prefix_len=1",
    "chex.assert_equal_shape_suffix": "inputs=[M, M], suffix_len=1",
    "chex.assert_equal_size": "inputs=[M, M]",
    "chex.assert_exactly_one_is_none": "first=M, second=None",
    "chex.assert_not_both_none": "first=M, second=None",
    "chex.assert_is_broadcastable": "shape_a=(1, 4), shape_b=(3, 4)",
    "chex.assert_is_divisible": "numerator=4, denominator=2",
    "chex.assert_rank": "inputs=M, expected_ranks=2",
    "chex.assert_scalar": "x=S",
    "chex.assert_scalar_in": "x=S, min_=-9.0, max_=9.0",
    "chex.assert_scalar_negative": "x=S",
    "chex.assert_scalar_non_negative": "x=S",
    "chex.assert_scalar_positive": "x=S",
    "chex.assert_shape": "inputs=M, expected_shapes=(3, 4)",
    "chex.assert_size": "inputs=M, expected_sizes=12",
    "chex.assert_tree_all_finite": "tree_like=P",
    "chex.assert_tree_has_only_ndarrays": "tree=P",
    "chex.assert_tree_is_on_device": "tree=P, platform='cpu'",
    "chex.assert_tree_is_on_host": "tree=P",
    "chex.assert_tree_no_nones": "tree=P",
    "chex.assert_tree_shape": "tree=[M], expected_shape=(3, 4)",
    "chex.assert_tree_shape_prefix": "tree=[M], shape_prefix=(3,)",
    "chex.assert_tree_shape_suffix": "tree=[M], shape_suffix=(4,)",
    "chex.assert_trees_all_close": "_args=(P, P)",
    "chex.assert_trees_all_close_ulp": "_args=(P, P)",
    "chex.assert_trees_all_equal": "_args=(P, P)",
    "chex.assert_trees_all_equal_dtypes": "_args=(P, P)",
    "chex.assert_trees_all_equal_shapes": "_args=(P, P)",
    "chex.assert_trees_all_equal_shapes_and_dtypes": "_args=(P, P)",
    "chex.assert_trees_all_equal_sizes": "_args=(P, P)",
    "chex.assert_trees_all_equal_structs": "_args=(P, P)",
    "chex.assert_type": "inputs=M, expected_types=jnp.float32",
    "chex.assert_devices_available": "n=1, devtype='cpu'",
    # jmp
    "jmp.all_finite": "tree=P",
    "jmp.cast_to_full": "tree=P",
    "jmp.cast_to_half": "tree=P",
    "jmp.half_dtype": "",
    "jmp.select_tree": "pred=Q, a=P, b=P",
    "jmp.get_policy": "policy_name='full'",
    "jmp.NoOpLossScale": "",
    "jmp.StaticLossScale": "loss_scale=S",
    "jmp.DynamicLossScale": "loss_scale=S",
}

#: Haiku functions that only work inside a transformed function.
HAIKU_FUNCTIONS: dict[str, str] = {
    "haiku.get_parameter": "name='w', shape=(4,), init=hk.initializers.Constant(1.0)",
    "haiku.get_state": "name='s', shape=(4,), init=jnp.ones",
    "haiku.set_state": "name='s', value=V",
    "haiku.next_rng_key": "",
    "haiku.next_rng_keys": "num=2",
    "haiku.maybe_next_rng_key": "",
    "haiku.reserve_rng_keys": "num=2",
    "haiku.running_init": "",
    "haiku.current_name": "",
    "haiku.get_params": "",
    "haiku.get_current_state": "",
    "haiku.get_initial_state": "",
    "haiku.dynamic_unroll": "core=hk.VanillaRNN(4), input_sequence=B, initial_state=M",
    "haiku.static_unroll": "core=hk.VanillaRNN(4), input_sequence=B, initial_state=M",
    "haiku.deep_rnn_with_skip_connections": "layers=[hk.VanillaRNN(4)]",
}

#: Learning-rate schedules: the result is called with a traced count.
SCHEDULES: dict[str, str] = {
    "optax.constant_schedule": "value=0.1",
    "optax.cosine_decay_schedule": "init_value=0.1, decay_steps=10",
    "optax.cosine_onecycle_schedule": "transition_steps=10, peak_value=0.1",
    "optax.exponential_decay": "init_value=0.1, transition_steps=10, decay_rate=0.9,"
    " end_value=0.01",
    "optax.join_schedules": "schedules=[optax.constant_schedule(0.1)] * 2, boundaries=[5]",
    "optax.linear_onecycle_schedule": "transition_steps=10, peak_value=0.1",
    "optax.linear_schedule": "init_value=0.1, end_value=0.0, transition_steps=10",
    "optax.piecewise_constant_schedule": "init_value=0.1, boundaries_and_scales={5: 0.1}",
    "optax.piecewise_interpolate_schedule": "interpolate_type='linear', init_value=0.1,"
    " boundaries_and_scales={5: 0.1}",
    "optax.polynomial_schedule": "init_value=0.1, end_value=0.0, power=2, transition_steps=10",
    "optax.sgdr_schedule": "cosine_kwargs=[dict(init_value=0.0, peak_value=0.1, warmup_steps=2,"
    " decay_steps=10)]",
    "optax.warmup_constant_schedule": "init_value=0.0, peak_value=0.1, warmup_steps=2",
    "optax.warmup_cosine_decay_schedule": "init_value=0.0, peak_value=0.1, warmup_steps=2,"
    " decay_steps=10",
    "optax.warmup_exponential_decay_schedule": "init_value=0.0, peak_value=0.1, warmup_steps=2,"
    " transition_steps=10, decay_rate=0.9",
    "flax.training.lr_schedule.create_constant_learning_rate_schedule": "base_learning_rate=0.1,"
    " steps_per_epoch=10",
    "flax.training.lr_schedule.create_cosine_learning_rate_schedule": "base_learning_rate=0.1,"
    " steps_per_epoch=10, halfcos_epochs=2",
    "flax.training.lr_schedule.create_stepped_learning_rate_schedule": "base_learning_rate=0.1,"
    " steps_per_epoch=10, lr_sched_steps=[[1, 0.1]]",
}

#: Gradient transformations: built, then ``init`` and ``update`` are called. ``_extra`` holds the
#: further arguments some of them want in ``update``, ``_params`` parameters of another shape.
GRADIENT_TRANSFORMATIONS: dict[str, str] = {
    **{
        f"optax.{name}": "learning_rate=0.1"
        for name in (
            "adabelief adadelta adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars"
            " lion nadam nadamw novograd optimistic_adam optimistic_adam_v2"
            " optimistic_gradient_descent radam rmsprop rprop sgd sign_sgd signum sm3 yogi"
            " scale_by_learning_rate scale_by_rprop"
        ).split()
    },
    **{
        f"optax.{name}": ""
        for name in (
            "centralize identity normalize_by_update_norm scale_by_adadelta scale_by_adam"
            " scale_by_adamax scale_by_adan scale_by_amsgrad scale_by_belief"
            " scale_by_distance_over_gradients scale_by_factored_rms scale_by_lbfgs scale_by_lion"
            " scale_by_novograd scale_by_optimistic_gradient scale_by_param_block_norm"
            " scale_by_param_block_rms scale_by_radam scale_by_rms scale_by_rss"
            " scale_by_sign scale_by_sm3 scale_by_stddev scale_by_trust_ratio scale_by_yogi"
            " set_to_zero zero_nans"
        ).split()
    },
    "optax.adafactor": "learning_rate=0.1",
    "optax.adaptive_grad_clip": "clipping=0.1",
    "optax.add_decayed_weights": "weight_decay=0.1",
    "optax.add_noise": "eta=0.1, gamma=0.5, key=0",
    "optax.apply_every": "k=2",
    "optax.apply_if_finite": "inner=optax.sgd(0.1), max_consecutive_errors=2",
    "optax.chain": "_args=(optax.clip(1.0), optax.sgd(0.1))",
    "optax.named_chain": "_args=(('a', optax.clip(1.0)), ('b', optax.sgd(0.1)))",
    "optax.clip": "max_delta=1.0",
    "optax.clip_by_block_rms": "threshold=1.0",
    "optax.clip_by_global_norm": "max_norm=1.0",
    "optax.conditionally_mask": "inner=optax.sgd(0.1), should_transform_fn=lambda step: step > 1",
    "optax.conditionally_transform": "inner=optax.sgd(0.1),"
    " should_transform_fn=lambda step: step > 1",
    "optax.ema": "decay=0.9",
    "optax.flatten": "inner=optax.sgd(0.1)",
    "optax.freeze": "mask={'w': True, 'b': False}",
    "optax.selective_transform": "optimizer=optax.sgd(0.1), freeze_mask={'w': True, 'b': False}",
    "optax.keep_params_nonnegative": "",
    "optax.lookahead": "fast_optimizer=optax.sgd(0.1), sync_period=2, slow_step_size=0.5,"
    " reset_state=False, _params=optax.LookaheadParams.init_synced(P)",
    "optax.masked": "inner=optax.sgd(0.1), mask={'w': True, 'b': False}",
    "optax.multi_transform": "transforms={'a': optax.sgd(0.1)}, param_labels={'w': 'a', 'b': 'a'}",
    "optax.partition": "transforms={'a': optax.sgd(0.1)}, param_labels={'w': 'a', 'b': 'a'}",
    "optax.noisy_sgd": "learning_rate=0.1, key=0",
    "optax.polyak_sgd": "max_learning_rate=0.1, _extra=dict(value=S)",
    "optax.scale_by_polyak": "max_learning_rate=0.1, _extra=dict(value=S)",
    "optax.scale": "step_size=0.1",
    "optax.scale_by_schedule": "step_size_fn=optax.linear_schedule(0.1, 0.0, 10)",
    "optax.trace": "decay=0.9",
    "optax.stateless": "f=lambda u, p: u",
    "optax.stateless_with_tree_map": "f=lambda u, p: u",
    "optax.with_extra_args_support": "tx=optax.sgd(0.1)",
    "optax.snapshot": "measure_name='a', measure=lambda u: u",
    "optax.lbfgs": "learning_rate=0.1, linesearch=None",
    "optax.scale_by_backtracking_linesearch": "max_backtracking_steps=3,"
    " _params=V, _extra=dict(value=S, grad=V, value_fn=lambda x: (x * x).sum())",
    "optax.scale_by_zoom_linesearch": "max_linesearch_steps=3,"
    " _params=V, _extra=dict(value=S, grad=V, value_fn=lambda x: (x * x).sum())",
    "optax.contrib.acprop": "learning_rate=0.1",
    "optax.contrib.sam": "optimizer=optax.sgd(0.1), adv_optimizer=optax.sgd(0.1)",
    "optax.contrib.scale_by_acprop": "",
    "optax.contrib.scale_by_ademamix": "",
    "optax.contrib.scale_by_adopt": "",
    "optax.contrib.scale_by_cocob": "",
    "optax.contrib.scale_by_simplified_ademamix": "",
    "optax.contrib.ademamix": "learning_rate=0.1",
    "optax.contrib.adopt": "learning_rate=0.1",
    "optax.contrib.cocob": "",
    "optax.contrib.dadapt_adamw": "",
    "optax.contrib.dog": "learning_rate=0.1",
    "optax.contrib.dowg": "learning_rate=0.1",
    "optax.contrib.madgrad": "learning_rate=0.1",
    "optax.contrib.mechanize": "base_optimizer=optax.sgd(0.1)",
    "optax.contrib.momo": "_extra=dict(value=S)",
    "optax.contrib.momo_adam": "_extra=dict(value=S)",
    "optax.contrib.muon": "learning_rate=0.1",
    "optax.contrib.normalize": "",
    "optax.contrib.prodigy": "",
    "optax.contrib.reduce_on_plateau": "_extra=dict(value=S)",
    "optax.contrib.schedule_free": "base_optimizer=optax.sgd(0.1), learning_rate=0.1",
    "optax.contrib.schedule_free_adamw": "learning_rate=0.1",
    "optax.contrib.schedule_free_sgd": "learning_rate=0.1",
    "optax.contrib.simplified_ademamix": "learning_rate=0.1",
    "optax.contrib.split_real_and_imaginary": "inner=optax.sgd(0.1)",
}

_POOL_1 = "x=CHW[0]"
_POOL_2 = "x=CHW"
_POOL_3 = "x=CHW[None]"

_LAYERS: dict[str, str] = {
    "flax.linen.BatchApply": "f=lambda x: x, num_dims=2| _args=(B,)",
    "flax.linen.BatchNorm": "momentum=0.9| x=M, use_running_average=False",
    "flax.linen.Bidirectional": "forward_rnn=nn.RNN(nn.GRUCell(4)),"
    " backward_rnn=nn.RNN(nn.GRUCell(4))| inputs=B",
    "flax.linen.Conv": "features=4, kernel_size=(3, 3), strides=(1, 1)| inputs=IMG",
    "flax.linen.ConvLocal": "features=4, kernel_size=(3, 3)| inputs=IMG",
    "flax.linen.ConvTranspose": "features=4, kernel_size=(3, 3)| inputs=IMG",
    "flax.linen.ConvLSTMCell": "features=4, kernel_size=(3, 3)|"
    " carry=(IMG[..., :1].repeat(4, -1),) * 2, inputs=IMG",
    "flax.linen.Dense": "features=4| inputs=M",
    "flax.linen.DenseGeneral": "features=4| inputs=M",
    "flax.linen.Dropout": "rate=0.5| inputs=M, deterministic=False",
    "flax.linen.Einsum": "shape=(4, 2), einsum_str='ab,bc->ac'| inputs=M",
    "flax.linen.Embed": "num_embeddings=5, features=4| inputs=I",
    "flax.linen.GRUCell": "features=4| carry=M, inputs=M",
    "flax.linen.GroupNorm": "num_groups=2| x=M",
    "flax.linen.InstanceNorm": "| x=B",
    "flax.linen.LSTMCell": "features=4| carry=(M, M), inputs=M",
    "flax.linen.OptimizedLSTMCell": "features=4| carry=(M, M), inputs=M",
    "flax.linen.MGUCell": "features=4| carry=M, inputs=M",
    "flax.linen.SimpleCell": "features=4| carry=M, inputs=M",
    "flax.linen.LayerNorm": "| x=M",
    "flax.linen.RMSNorm": "| x=M",
    "flax.linen.MultiHeadAttention": "num_heads=2, dropout_rate=0.5| inputs_q=B,"
    " deterministic=False",
    "flax.linen.MultiHeadDotProductAttention": "num_heads=2, dropout_rate=0.5| inputs_q=B,"
    " deterministic=False",
    "flax.linen.SelfAttention": "num_heads=2, dropout_rate=0.5| inputs_q=B, deterministic=False",
    "flax.linen.PReLU": "| inputs=M",
    "flax.linen.RNN": "cell=nn.GRUCell(4), return_carry=False| inputs=B",
    "flax.linen.Sequential": "layers=[nn.Dense(4)]| _args=(M,)",
    "flax.linen.SpectralNorm": "layer_instance=nn.Dense(4)| _args=(M,), update_stats=True",
    "flax.linen.WeightNorm": "layer_instance=nn.Dense(4)| _args=(M,)",
    "flax.nnx.BatchNorm": "num_features=4| x=M, use_running_average=False",
    "flax.nnx.Bidirectional": "forward_rnn=nnx.RNN(nnx.GRUCell(4, 4, rngs=nnx.Rngs(K))),"
    " backward_rnn=nnx.RNN(nnx.GRUCell(4, 4, rngs=nnx.Rngs(K)))| inputs=B",
    "flax.nnx.Conv": "in_features=3, out_features=4, kernel_size=(3, 3)| inputs=IMG",
    "flax.nnx.ConvTranspose": "in_features=3, out_features=4, kernel_size=(3, 3)| inputs=IMG",
    "flax.nnx.Dropout": "rate=0.5| inputs=M, deterministic=False",
    "flax.nnx.Einsum": "einsum_str='ab,bc->ac', kernel_shape=(4, 2)| inputs=M",
    "flax.nnx.Embed": "num_embeddings=5, features=4| inputs=I",
    "flax.nnx.GRUCell": "in_features=4, hidden_features=4| carry=M, inputs=M",
    "flax.nnx.LSTMCell": "in_features=4, hidden_features=4| carry=(M, M), inputs=M",
    "flax.nnx.OptimizedLSTMCell": "in_features=4, hidden_features=4| carry=(M, M), inputs=M",
    "flax.nnx.SimpleCell": "in_features=4, hidden_features=4| carry=M, inputs=M",
    "flax.nnx.GroupNorm": "num_features=4, num_groups=2| x=M",
    "flax.nnx.InstanceNorm": "num_features=4| x=B",
    "flax.nnx.LayerNorm": "num_features=4| x=M",
    "flax.nnx.RMSNorm": "num_features=4| x=M",
    "flax.nnx.Linear": "in_features=4, out_features=2| inputs=M",
    "flax.nnx.LinearGeneral": "in_features=4, out_features=2| inputs=M",
    "flax.nnx.LoRA": "in_features=4, lora_rank=2, out_features=2| x=M",
    "flax.nnx.LoRALinear": "in_features=4, lora_rank=2, out_features=2| x=M",
    "flax.nnx.MultiHeadAttention": "num_heads=2, in_features=4, dropout_rate=0.5, decode=False|"
    " inputs_q=B, deterministic=False",
    "flax.nnx.PReLU": "| inputs=M",
    "flax.nnx.RNN": "cell=nnx.GRUCell(4, 4, rngs=nnx.Rngs(K))| inputs=B",
    "flax.nnx.Sequential": "_args=(nnx.Linear(4, 4, rngs=nnx.Rngs(K)),)| _args=(M,)",
    "flax.nnx.SpectralNorm": "layer_instance=nnx.Linear(4, 4, rngs=nnx.Rngs(K))| x=M",
    "flax.nnx.WeightNorm": "layer_instance=nnx.Linear(4, 4, rngs=nnx.Rngs(K))| x=M",
    "equinox.nn.AdaptiveAvgPool1d": f"target_shape=2| {_POOL_1}",
    "equinox.nn.AdaptiveAvgPool2d": f"target_shape=2| {_POOL_2}",
    "equinox.nn.AdaptiveAvgPool3d": f"target_shape=1| {_POOL_3}",
    "equinox.nn.AdaptiveMaxPool1d": f"target_shape=2| {_POOL_1}",
    "equinox.nn.AdaptiveMaxPool2d": f"target_shape=2| {_POOL_2}",
    "equinox.nn.AdaptiveMaxPool3d": f"target_shape=1| {_POOL_3}",
    "equinox.nn.AdaptivePool": f"target_shape=2, num_spatial_dims=2, operation=jnp.max| {_POOL_2}",
    "equinox.nn.AvgPool1d": f"kernel_size=2| {_POOL_1}",
    "equinox.nn.AvgPool2d": f"kernel_size=2| {_POOL_2}",
    "equinox.nn.AvgPool3d": f"kernel_size=1| {_POOL_3}",
    "equinox.nn.MaxPool1d": f"kernel_size=2| {_POOL_1}",
    "equinox.nn.MaxPool2d": f"kernel_size=2| {_POOL_2}",
    "equinox.nn.MaxPool3d": f"kernel_size=1| {_POOL_3}",
    "equinox.nn.Pool": f"init=0.0, operation=lax.add, num_spatial_dims=2, kernel_size=2| {_POOL_2}",
    "equinox.nn.Conv": "num_spatial_dims=2, in_channels=3, out_channels=4, kernel_size=3, key=K|"
    " x=CHW",
    "equinox.nn.Conv1d": "in_channels=8, out_channels=4, kernel_size=3, key=K| x=CHW[0]",
    "equinox.nn.Conv2d": "in_channels=3, out_channels=4, kernel_size=3, key=K| x=CHW",
    "equinox.nn.Conv3d": "in_channels=1, out_channels=4, kernel_size=3, key=K| x=CHW[None]",
    "equinox.nn.ConvTranspose": "num_spatial_dims=2, in_channels=3, out_channels=4, kernel_size=3,"
    " key=K| x=CHW",
    "equinox.nn.ConvTranspose1d": "in_channels=8, out_channels=4, kernel_size=3, key=K| x=CHW[0]",
    "equinox.nn.ConvTranspose2d": "in_channels=3, out_channels=4, kernel_size=3, key=K| x=CHW",
    "equinox.nn.ConvTranspose3d": "in_channels=1, out_channels=4, kernel_size=3, key=K|"
    " x=CHW[None]",
    "equinox.nn.BatchNorm": "input_size=4, axis_name='batch', mode='batch'| x=M",
    "equinox.nn.SpectralNorm": "layer=eqx.nn.Linear(4, 4, key=K), weight_name='weight', key=K| x=V",
    "equinox.nn.Dropout": "p=0.5, inference=False| x=V, key=K, inference=False",
    "equinox.nn.Embedding": "num_embeddings=5, embedding_size=4, key=K| x=N",
    "equinox.nn.GRUCell": "input_size=4, hidden_size=4, key=K| input=V, hidden=V",
    "equinox.nn.LSTMCell": "input_size=4, hidden_size=4, key=K| input=V, hidden=(V, V)",
    "equinox.nn.GroupNorm": "groups=1, channels=3| x=CHW",
    "equinox.nn.Identity": "| x=V",
    "equinox.nn.Lambda": "fn=jnp.sin| x=V",
    "equinox.nn.LayerNorm": "shape=4| x=V",
    "equinox.nn.RMSNorm": "shape=4| x=V",
    "equinox.nn.Linear": "in_features=4, out_features=2, key=K| x=V",
    "equinox.nn.MLP": "in_size=4, out_size=2, width_size=4, depth=2, key=K| x=V",
    "equinox.nn.MultiheadAttention": "num_heads=2, query_size=4, dropout_p=0.5, key=K| query=M,"
    " key_=M, value=M, key=K, inference=False",
    "equinox.nn.PReLU": "| x=V",
    "equinox.nn.RotaryPositionalEmbedding": "embedding_size=4| x=M",
    "equinox.nn.Sequential": "layers=[eqx.nn.Linear(4, 4, key=K)]| x=V",
    "equinox.nn.WeightNorm": "layer=eqx.nn.Linear(4, 4, key=K)| x=V",
    "haiku.AvgPool": "window_shape=2, strides=2, padding='SAME'| value=IMG",
    "haiku.MaxPool": "window_shape=2, strides=2, padding='SAME'| value=IMG",
    "haiku.BatchApply": "f=lambda x: x| _args=(B,)",
    "haiku.BatchNorm": "create_scale=True, create_offset=True, decay_rate=0.9| inputs=M,"
    " is_training=True",
    "haiku.Bias": "| inputs=M",
    "haiku.Conv1D": "output_channels=4, kernel_shape=3| inputs=B",
    "haiku.Conv2D": "output_channels=4, kernel_shape=3| inputs=IMG",
    "haiku.Conv3D": "output_channels=4, kernel_shape=3| inputs=VOL",
    "haiku.ConvND": "num_spatial_dims=2, output_channels=4, kernel_shape=3| inputs=IMG",
    "haiku.Conv1DTranspose": "output_channels=4, kernel_shape=3| inputs=B",
    "haiku.Conv2DTranspose": "output_channels=4, kernel_shape=3| inputs=IMG",
    "haiku.Conv3DTranspose": "output_channels=4, kernel_shape=3| inputs=VOL",
    "haiku.ConvNDTranspose": "num_spatial_dims=2, output_channels=4, kernel_shape=3| inputs=IMG",
    "haiku.DepthwiseConv1D": "channel_multiplier=1, kernel_shape=3| inputs=B",
    "haiku.DepthwiseConv2D": "channel_multiplier=1, kernel_shape=3| inputs=IMG",
    "haiku.DepthwiseConv3D": "channel_multiplier=1, kernel_shape=3| inputs=VOL",
    "haiku.SeparableDepthwiseConv2D": "channel_multiplier=1, kernel_shape=3| inputs=IMG",
    "haiku.Conv2DLSTM": "input_shape=(8, 8), output_channels=3, kernel_shape=3| inputs=IMG,"
    " state=hk.LSTMState(IMG, IMG)",
    "haiku.DeepRNN": "layers=[hk.VanillaRNN(4)]| inputs=M, state=(M,)",
    "haiku.EMAParamsTree": "decay=0.9| tree={'l': P}",
    "haiku.SNParamsTree": "eps=0.1| tree={'l': {'w': M}}",
    "haiku.ExponentialMovingAverage": "decay=0.9| value=M",
    "haiku.SpectralNorm": "eps=0.1| value=M",
    "haiku.Embed": "vocab_size=5, embed_dim=4| ids=I",
    "haiku.Flatten": "| inputs=B",
    "haiku.GRU": "hidden_size=4| inputs=M, state=M",
    "haiku.LSTM": "hidden_size=4| inputs=M, prev_state=hk.LSTMState(M, M)",
    "haiku.VanillaRNN": "hidden_size=4| inputs=M, prev_state=M",
    "haiku.IdentityCore": "| inputs=M, state=()",
    "haiku.ResetCore": "core=hk.VanillaRNN(4)| inputs=(M, I > 1), state=M",
    "haiku.GroupNorm": "groups=2| x=M",
    "haiku.InstanceNorm": "create_scale=True, create_offset=True| inputs=IMG",
    "haiku.LayerNorm": "axis=-1, create_scale=True, create_offset=True| inputs=M",
    "haiku.RMSNorm": "axis=-1| inputs=M",
    "haiku.Linear": "output_size=4| inputs=M",
    "haiku.MultiHeadAttention": "num_heads=2, key_size=4, w_init=hk.initializers.Constant(1.0)|"
    " query=B, key=B, value=B",
    "haiku.Reshape": "output_shape=(2, 6)| inputs=B",
    "haiku.Sequential": "layers=[jnp.sin]| inputs=M",
    "haiku.initializers.Constant": "constant=1.0| shape=(4, 2), dtype=jnp.float32",
    "haiku.initializers.Identity": "gain=1.0| shape=(4, 4), dtype=jnp.float32",
    "haiku.initializers.Orthogonal": "scale=1.0| shape=(4, 4), dtype=jnp.float32",
    "haiku.initializers.RandomNormal": "stddev=1.0| shape=(4, 2), dtype=jnp.float32",
    "haiku.initializers.RandomUniform": "minval=0.0| shape=(4, 2), dtype=jnp.float32",
    "haiku.initializers.TruncatedNormal": "stddev=1.0| shape=(4, 2), dtype=jnp.float32",
    "haiku.initializers.UniformScaling": "scale=1.0| shape=(4, 2), dtype=jnp.float32",
    "haiku.initializers.VarianceScaling": "scale=1.0| shape=(4, 2), dtype=jnp.float32",
    "haiku.nets.MLP": "output_sizes=[4, 2]| inputs=M, dropout_rate=0.5, rng=K",
    "haiku.nets.MobileNetV1": "num_classes=2, strides=(1,), channels=(4,)| inputs=IMG,"
    " is_training=True",
    "haiku.nets.ResNet18": "num_classes=2| inputs=IMG, is_training=True",
    "haiku.nets.VectorQuantizer": "embedding_dim=4, num_embeddings=3, commitment_cost=0.1|"
    " inputs=M, is_training=True",
    "haiku.nets.VectorQuantizerEMA": "embedding_dim=4, num_embeddings=3, commitment_cost=0.1,"
    " decay=0.9| inputs=M, is_training=True",
}


def _split(text: str) -> tuple[str, str]:
    built, _, called = text.partition("|")
    return built.strip().rstrip(","), called.strip()


#: Layers: how one is built and how the instance is called.
LAYERS: dict[str, tuple[str, str]] = {name: _split(text) for name, text in _LAYERS.items()}

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
    "flax.nnx.data": {"returns": "tree", "note": "gives its argument, marked as data"},
    "flax.nnx.static": {"returns": "unknown", "note": "gives its argument"},
    "optax.tree.batch_shape": {"note": "a tree of arrays with a leading shape"},
    "optax.constant_schedule": {"note": "the schedule gives back the very value it was made of"},
    "flax.training.lr_schedule.create_constant_learning_rate_schedule": {
        "note": "the schedule gives back the very value it was made of"
    },
    "equinox.nn.Dropout": {"note": "inference=True gives the input without needing a key"},
}
