"""Numbers that describe the last update; read by the dashboard."""

last_norm = None
clipped_steps = 0
series = []
by_layer = {}


def reset():
    """Forget everything."""
    global last_norm, clipped_steps
    last_norm = None
    clipped_steps = 0
    series.clear()
    by_layer.clear()


def drop_layers(prefix):
    """Remove the layers that start with a prefix."""
    for name in [name for name in by_layer if name.startswith(prefix)]:
        del by_layer[name]  # expect: JIT202 @dropped


def keep_layer(name, norm):
    setattr(Layer, name, norm)  # expect: JIT204 @layer
    return norm


class Layer:
    """Norms as attributes, one per layer."""
