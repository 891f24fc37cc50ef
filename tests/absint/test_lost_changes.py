"""Changes of containers that are made anew for a trace: who would have seen them."""

from __future__ import annotations

from tests.linting import check


def test_the_caller_looks_again() -> None:
    check("""
        @jax.jit
        def step(state):
            state["n"] = state["n"] + 1  # JIT214
            state["m"] = 0.0
            return state["n"] * 2

        def f():
            state = {"n": 0}
            y = step(state)
            return state["n"], y
    """)


def test_a_loop_passes_it_again() -> None:
    check("""
        @jax.jit
        def step(x, log):
            log.append(x)  # JIT214
            return x + 1

        def f(n):
            x, log = 0.0, []
            for _ in range(n):
                x = step(x, log)
            return x
    """)


def test_nobody_looks_again() -> None:
    check("""
        @jax.jit
        def scaled(batch):
            batch["x"] = batch["x"] / 255
            return batch["x"].sum()

        @jax.jit
        def step(state):
            state["n"] = state["n"] + 1
            return state

        def f(arrays, n):
            total = 0.0
            for array in arrays:
                batch = {"x": array, "y": n}
                total += scaled(batch)
                print(batch["y"])
            state = {"n": 0}
            for _ in range(n):
                state = step(state)
            scaled({"x": n})
            return state, total
    """)


def test_what_is_returned_comes_back() -> None:
    check("""
        @jax.jit
        def whole(state):
            state["n"] = state["n"] + 1
            return [state]

        @jax.jit
        def stored(state):
            n = state["n"] + 1
            state["n"] = n
            return {"other": n}

        def f():
            state = {"n": 0}
            new = whole(state)
            n = stored(state)
            return state, new, n
    """)


def test_a_call_is_not_recalled_for_another_container() -> None:
    check("""
        def change(state):
            state["n"] = state["n"] + 1  # JIT214

        @jax.jit
        def returned(state):
            change(state)
            return state

        @jax.jit
        def lost(state):
            change(state)
            return 0

        def f():
            state = {"n": 0}
            returned(state)
            return state

        def g():
            state = {"n": 0}
            lost(state)
            return state
    """)


def test_removing_is_not_changing() -> None:
    check("""
        @jax.jit
        def f(batch):
            y = batch.pop("y")
            del batch["z"]
            return batch["x"] + y

        def g():
            batch = {"x": 1.0, "y": 2.0, "z": 3.0}
            return f(batch), batch
    """)


def test_an_object_that_nobody_looks_at_again() -> None:
    check("""
        @jax.jit
        def curve(state):
            state["angle"] = state["time"] * 2
            return state["angle"].sum()

        class System:
            def __init__(self, time):
                self.state = {"time": time}

        def f(time):
            system = System(time)
            return curve(system.state)
    """)


def test_an_object_that_is_looked_at_again() -> None:
    check("""
        @jax.jit
        def curve(state):
            state["angle"] = state["time"] * 2  # JIT214
            return state["angle"].sum()

        class System:
            def __init__(self, time):
                self.state = {"time": time}

            def curve(self):
                return curve(self.state)

            def angle(self):
                return self.state["angle"]
    """)


def test_an_attribute_that_is_set_to_itself_for_type_checkers() -> None:
    check("""
        from typing import cast

        import numpy as np

        class Held:
            def __init__(self, path):
                self.table = np.load(path)
                self.other = np.load(path)

            def bands(self):
                self.table = cast(np.ndarray, self.table)
                return self.table.shape[0]

            def others(self, x):
                self.other = cast(np.ndarray, self.other * 2)  # JIT204
                return self.other.shape[0] * x

        held = Held("table.npy")

        @jax.jit
        def solved(x):
            return x * held.bands() + held.others(x)
    """)


def test_state_that_the_caller_of_a_trace_sets_again() -> None:
    check(
        """
        class Model:
            def set_parameters(self, params):
                self.weights = params

            def forward(self, x):
                self.shown = x @ self.weights
                return self.shown

        def loss(params, model, x):
            model.set_parameters(params)
            return model.forward(x).sum()

        def train(model, params, batches):
            for x in batches:
                value, grads = jax.value_and_grad(loss)(params, model, x)
                params = params - 0.1 * grads
                model.set_parameters(params)
                logits = model.forward(x)
                print(value, logits, model.shown)
        """
    )
    check(
        """
        class Model:
            def set_parameters(self, params):
                self.weights = params  # JIT204

            def __call__(self, x):
                return x @ self.weights

        def loss(params, model, x):
            model.set_parameters(params)
            return model(x).sum()

        def train(model, params, batches):
            for x in batches:
                value, grads = jax.value_and_grad(loss)(params, model, x)
                print(value, model(x))
                model.set_parameters(params)
        """
    )
