"""Arguments in loops: which of them are of another shape in every turn."""

from __future__ import annotations

from tests.linting import check

_JITTED = """
        @jax.jit
        def f(x):
            return x

        @jax.jit
        def g(x, y):
            return x
"""


def _check(source: str) -> None:
    check(_JITTED + source)


def test_what_grows() -> None:
    _check(
        """
        def run(x, new, n, go):
            y, rows, words, kept, fixed = x, [], list(new), jnp.zeros(3), [x]
            for _ in range(n):
                f(x)  # JIT307
                f(jnp.sin(x.T) + 1.0)  # JIT307
                g(x, y)  # JIT307
                f(rows)  # JIT307
                f(jnp.stack(rows))  # JIT307
                f({"rows": np.array(words)})  # JIT307
                f(kept)
                f(fixed)
                f(x[0])
                f(x[-3:])
                f(len(rows))
                x = jnp.concatenate([x, new])
                y = np.append(y, 1.0)
                rows.append(new)
                words = [*words, new]
                kept = jnp.concatenate([kept[1:], new])
                fixed[0] = new
            while go(x):
                f(y)  # JIT307
                y = y[1:]
            return x
        """
    )


def test_what_begins_again_or_is_kept_short() -> None:
    _check(
        """
        from collections import deque

        def run(stream, new, n):
            rows, last, seen = [], deque(maxlen=4), []
            for row in stream:
                rows.append(row)
                if len(rows) == 8:
                    f(jnp.stack(rows))
                    rows = []
                last.append(row)
                f(np.stack(last))
                seen.append(row)
                f(jnp.stack(seen))
                if row.done:
                    seen.clear()
            for row in stream:
                inner = []
                for _ in range(n):
                    inner.append(new)
                f(jnp.stack(inner))
            for _ in range(3):
                rows.append(new)
                f(rows)
        """
    )


def test_slices_that_follow_a_counter() -> None:
    _check(
        """
        def run(x, n, size, stops):
            for i in range(n):
                f(x[:i])  # JIT307
                f(x[:, i + 1:])  # JIT307
                f(x[i : 2 * i])  # JIT307
                f(x[: i % 4])
                f(x[i : i + size])
                f(x[i * size : (i + 1) * size])
                f(x[i - size : i])
                f(x[i:][:size])
                f(jax.lax.dynamic_slice(x, (i,), (4,)))
                end = i + size
                f(x[i:end])
                f(x[i : min(i + size, n)])
                f(x[stops[i] : stops[i + 1]])
                f(jnp.arange(i))  # JIT307
                f(jnp.arange(i, n))  # JIT307
                f(jnp.arange(i, i + size))
                f(x[np.arange(i * size, (i + 1) * size)])
                f(x[list(range(i, i + 4))])
                f(np.zeros((2, i)))  # JIT307
                f(jax.random.normal(x, shape=(i, 3)))  # JIT307
                f([0.0] * i)  # JIT307
                f(jnp.linspace(0, i, 5))
                f(np.pad(x[:i], (0, n - i)))
            for i in range(3):
                f(x[:i])
            return [f(x[:i]) for i in range(n)]  # JIT307
        """
    )


def test_a_step_that_an_attribute_counts() -> None:
    _check(
        """
        class Buffer:
            def __init__(self):
                self.rows, self.filled, self.data = [], 0, jnp.zeros(9)

            def add(self, row):
                self.rows.append(row)
                f(jnp.stack(self.rows))  # JIT307
                f(self.data[: self.filled])  # JIT307
                self.filled += 1

            def look(self):
                f(jnp.stack(self.rows))  # JIT307

            def look_once(self):
                f(jnp.stack(self.rows))

        def run(stream):
            buffer = Buffer()
            for row in stream:
                buffer.add(row)
                buffer.look()
            for row in stream:
                buffer.look_once()
        """
    )


def test_what_values_select() -> None:
    _check(
        """
        def run(x, n, ids, fold):
            for k in range(n):
                x = x + 1
                f(x[x > 0])  # JIT307
                good = (x > 0) & jnp.isfinite(x)
                f(x[good])  # JIT307
                f(jnp.nonzero(x)[0])  # JIT307
                f(jnp.unique(x))  # JIT307
                f(jnp.unique(x, size=4))
                f(jnp.where(x > 0, x, 0))
                f(x[ids != k])
                f(ids[ids > 3])
                f(np.array([row for row in ids if row > k]))  # JIT307
                f(np.array([row for row in ids if row != k]))
        """
    )


def test_texts() -> None:
    _check(
        """
        def words(line):
            return np.array([len(word) for word in line.split()])

        def run(lines, table):
            for line in lines:
                f(words(line))  # JIT307
                f(np.zeros(len(line.split(","))))  # JIT307
                f(np.pad(words(line), (0, 9)))
                f(words("a fixed line"))
                f(table)
        """
    )


def test_batches_of_which_the_last_is_smaller() -> None:
    _check(
        """
        def batches(x, size):
            for start in range(0, len(x), size):
                yield x[start : start + size]

        def full(x, size):
            for start in range(0, len(x) - size + 1, size):
                yield x[start : start + size]

        class Loader:
            def __init__(self, x, size):
                self.x, self.size = x, size

            def __len__(self):
                return -(-len(self.x) // self.size)

            def __iter__(self):
                order = np.random.permutation(len(self.x))
                for k in range(len(self)):
                    yield self.x[order[k * self.size : (k + 1) * self.size]]

        def run(unknown):
            x, even = np.ones((18, 2)), np.ones((20, 2))
            loader = Loader(x, 4)
            for number, batch in enumerate(batches(x, 4)):
                f(batch)  # JIT307
            for batch in batches(even, 4):
                f(batch)
            for batch in full(x, 4):
                f(batch)
            for batch in batches(unknown, 4):
                f(batch)
            for batch in loader:
                f(batch)  # JIT307
            for part in np.array_split(x, 4):
                f(part)  # JIT307
            for part in np.array_split(x, 6):
                f(part)
            for start in range(0, 18, 4):
                if start + 4 > 18:
                    break
                f(x[start : start + 4])
            for start in range(0, 18, 4):
                f(x[start : min(start + 4, 18)])  # JIT307
        """
    )


def test_functions_between_the_loop_and_the_call() -> None:
    _check(
        """
        def grid(size, width=3):
            return np.ones((size, width)), np.arange(size)

        def evaluate(w, rows):
            return g(w, rows)  # JIT307

        def evaluate_few(w, rows):
            return g(w, rows)

        def zeros(n):
            return f(jnp.zeros(n))  # JIT307

        def run(w, rows, n, sizes):
            for size in sizes:
                f(grid(size))  # JIT307
                points, _ = grid(size)
                f(points)  # JIT307
                _, widths = grid(4, size)
                f(widths)
            for size in (10, 20, 40, 80):
                f(grid(size))
            for i in range(n):
                evaluate(w, rows[:i])
                evaluate_few(w, rows)
                zeros(i)
        """
    )


def test_traces_and_measurements() -> None:
    _check(
        """
        import time

        @jax.jit
        def whole(x):
            for i in range(8):
                x = x + f(x[:i]).sum()
            return x

        def costs(n):
            for size in range(n):
                start = time.perf_counter()
                f(jnp.ones(size)).block_until_ready()
                print(time.perf_counter() - start)
        """
    )


def test_what_another_method_makes_longer() -> None:
    _check(
        """
        class Search:
            def __init__(self, bounds):
                self.points, self.values, self.bounds = jnp.zeros((0, 2)), [], bounds
                self.latest = jnp.zeros((0, 2))

            def suggest(self):
                f(self.bounds)
                f(self.latest)
                f(jnp.stack(self.values))  # JIT307
                return f(self.points)  # JIT307

            def observe(self, point, value):
                self.points = jnp.vstack([self.points, point])
                self.latest = jnp.vstack([self.latest, point])
                self.values.append(value)

            def reset(self):
                self.latest = jnp.zeros((0, 2))

            def predict(self, point):
                return g(self.points, point)

        def run(function, bounds, grid, n):
            search = Search(bounds)
            for _ in range(n):
                point = search.suggest()
                search.observe(point, function(point))
            return [search.predict(point) for point in grid]
        """
    )


def test_what_is_filled_up_to_a_fixed_length() -> None:
    _check(
        """
        def run(start, n, limit, rows):
            done, filled = [], jnp.zeros(0)
            for _ in range(n):
                f(jnp.array(start + done + [0] * (limit - len(start) - len(done))))
                f(jnp.array(start + done + [0] * max(0, limit - len(done))))
                rest = [0] * (limit - len(done))
                f(np.array(done + rest))
                f(jnp.concatenate([filled, jnp.zeros(limit - len(filled))]))
                f(jnp.append(filled, jnp.zeros(limit - filled.shape[0])))
                f(jnp.array(start + done))  # JIT307
                f(jnp.concatenate([rows] + done))  # JIT307
                f(jnp.concatenate([rows, filled]))  # JIT307
                done.append(1)
                filled = jnp.append(filled, 1.0)
        """
    )


def test_who_compiles_ahead_wants_a_program_for_each_size():
    check(
        """
        scaled = jax.jit(lambda x, order: x**order, static_argnums=1)

        def compile_all(most, orders):
            programs = {}
            for size in range(1, most):
                for order in range(orders):
                    lowered = scaled.lower(jnp.ones(size), order)
                    programs[size, order] = lowered.compile()
            return programs

        def run_all(most):
            for size in range(1, most):
                scaled(jnp.ones(size), 2)  # JIT307
        """
    )
