"""An optical bench: surfaces in a row, and rays sent through them."""

import jax
import jax.numpy as jnp

from surfaces import Ray, Surface, focal_length, fresnel


class Bench:
    """Traces rays through a lens."""

    def __init__(self, surfaces, gaps):
        self.surfaces = surfaces
        self.gaps = gaps
        self.intercepts = {}
        self.runs = 0
        self.send = jax.jit(self._send)
        self.fan = jax.jit(jax.vmap(self._transmit))

    def _pass_through(self, ray):
        for gap, surface in zip(self.gaps, self.surfaces):
            ray = surface.bend(ray)
            ray = Ray(ray.height + gap * ray.angle, ray.angle)
        return ray

    def _transmit(self, ray):
        kept = 1.0
        losses = []
        for surface in self.surfaces:
            losses.append(fresnel(surface.before, surface.after))
        for loss in losses:
            kept = kept * (1 - loss)
        return kept * ray.height

    def _note(self, name, value):
        self.intercepts[name] = value  # expect: JIT202 @intercept

    def _send(self, ray):
        out = self._pass_through(ray)
        self._note("last", out.height)
        print(f"leaves at {out.angle}")  # expect: JIT201 @leaves
        jax.debug.print("height {h}", h=out.height)
        return out

    def measure(self, heights):
        """Send rays one after the other."""
        self.runs += 1
        landed = []
        for height in heights:
            landed.append(self.send(Ray(jnp.float32(height), jnp.float32(0.0))).height)
        return jnp.stack(landed)


class AsphericBench(Bench):
    """Adds a cubic term."""

    def _pass_through(self, ray):
        out = super()._pass_through(ray)
        setattr(self, "exit_height", out.height)  # expect: JIT204 @exit
        return out._replace(angle=out.angle + 0.01 * out.height**3)


def main():
    lens = [Surface(50.0, 1.0, 1.5), Surface(-50.0, 1.5, 1.0)]
    print(focal_length(lens))
    for bench in (Bench(lens, (5.0, 40.0)), AsphericBench(lens, (5.0, 40.0))):
        print(bench.measure([1.0, 2.0, 3.0]), bench.runs)
        print(bench.fan(Ray(jnp.arange(3.0), jnp.zeros(3))))


if __name__ == "__main__":
    main()
