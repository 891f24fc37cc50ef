import jax
import stereo_depth_linen as p

from tools.observation import compilations, is_tracer


def trains():
    trainer = p.DepthTrainer()
    left = jax.random.normal(jax.random.key(1), (2, 8))
    examples = [((left, left), left)] * 3
    trainer.train(examples)
    assert trainer.step_count == 3 and len(trainer.losses) == 3
    assert not is_tracer(trainer.state.ranges)
    assert compilations(lambda: trainer.train(examples)) == 0


INNOCENT = [trains]
HOSTILE = {}
