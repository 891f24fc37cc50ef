"""Viterbi for a linear chain."""

import jax
import jax.numpy as jnp


def viterbi(transitions, emissions):
    num_tags = transitions.shape[0]
    assert emissions.shape[1] == num_tags

    def advance(score, emission):
        total = score[:, None] + transitions + emission[None, :]
        return total.max(axis=0), total.argmax(axis=0)

    final, back = jax.lax.scan(advance, emissions[0], emissions[1:])
    path = [final.argmax()]
    for pointers in back[::-1]:
        path.append(pointers[path[-1]])
    return jnp.stack(path[::-1]), final.max()


@jax.jit
def tag(params, embedded):
    emissions = embedded @ params["project"] + params["bias"]
    path, score = viterbi(params["transitions"], emissions)
    names = [str(int(t)) for t in path]  # expect: JIT105 @names
    return path, score, len(names)
