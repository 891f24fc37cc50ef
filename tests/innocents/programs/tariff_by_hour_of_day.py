"""Looks like a fault of JIT107.

The tariff's __getitem__ turns the lookup into jnp.take on a stored array, so a traced hour never reaches a Python sequence.
"""
import csv
import io

import jax
import jax.numpy as jnp
import numpy as np

TARIFF_CSV = """hour,price
0,0.11
6,0.19
9,0.27
17,0.34
22,0.15
"""


class Tariff:
    def __init__(self, rows):
        self.rows = list(rows)
        prices = []
        for hour in range(24):
            started = [price for start, price in self.rows if start <= hour]
            prices.append(started[-1])
        self._prices = jnp.asarray(prices)

    @classmethod
    def from_csv(cls, text):
        reader = csv.DictReader(io.StringIO(text))
        return cls((int(row["hour"]), float(row["price"])) for row in reader)

    def __len__(self):
        return len(self._prices)

    def __getitem__(self, hour):
        return jnp.take(self._prices, hour, mode="wrap")


tariff = Tariff.from_csv(TARIFF_CSV)


@jax.jit
def bill(first_hour, loads):
    def add_hour(carry, load):
        hour, total = carry
        return (hour + 1, total + load * tariff[hour]), tariff[hour]

    (_, total), prices = jax.lax.scan(add_hour, (first_hour, 0.0), loads)
    return total, prices


if __name__ == "__main__":
    loads = jnp.ones(6)
    for first in (20, 3, 15):
        total, prices = bill(first, loads)
        hours = [(first + i) % 24 for i in range(6)]
        expected = [max(row for row in tariff.rows if row[0] <= h)[1] for h in hours]
        np.testing.assert_allclose(prices, expected, rtol=1e-6)
        np.testing.assert_allclose(total, sum(expected), rtol=1e-5)
    assert bill._cache_size() == 1
    print("six hours from 15:00 cost", float(total))
