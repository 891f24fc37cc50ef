"""Controllers whose attributes are properties, some of them."""

import jax
import jax.numpy as jnp


class Controller:
    """Counts how often its gain was changed."""

    def __init__(self, gain=1.0):
        self._gain = gain
        self.changes = 0
        self.output = None

    @property
    def gain(self):
        return self._gain

    @gain.setter
    def gain(self, value):
        self._gain = value


class Adaptive(Controller):
    """Changes its gain with the error."""

    def control(self, error):
        self.gain = self.gain * (1.0 + 0.1 * jnp.abs(error))  # expect: JIT204 @gain
        return -self.gain * error


class Remembering(Controller):
    """Its output has nothing to do with the setter."""

    def control(self, error):
        self.output = -self.gain * error  # expect: JIT204 @output
        return self.output


class Counting(Controller):
    """A plain number, but it counts traces."""

    def control(self, error):
        self.changes += 1  # expect: JIT204 @changes
        return -self.gain * error


class Room:
    """Borrows a controller."""

    def __init__(self, controller):
        self.controller = controller
        self.step = jax.jit(self._step)
        self.tune = jax.jit(self._tune)

    def _step(self, temperature, target):
        return temperature + 0.1 * self.controller.control(temperature - target)

    def _tune(self, response):
        self.controller.gain = 1.0 / response  # expect: JIT204 @tuned
        return response


if __name__ == "__main__":
    for controller in (Adaptive(), Remembering(), Counting()):
        print(Room(controller).step(20.0, 21.0))
