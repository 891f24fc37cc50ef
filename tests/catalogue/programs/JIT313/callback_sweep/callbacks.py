import gc

import jax


class FreeMemory:
    def on_batch_end(self, step):
        gc.collect()
        jax.clear_caches()  # expect: JIT313 @batch


class Silent:
    def on_batch_end(self, step):
        pass
