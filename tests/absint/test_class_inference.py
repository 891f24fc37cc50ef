"""Objects of which nothing is known but the names that are used on them."""

from __future__ import annotations

import textwrap

from jitlint.diagnostics import Severity
from tests.linting import analysis, check, check_project

ENVIRONMENTS = """\
    import jax
    import jax.numpy as jnp
    from typing import NamedTuple

    class World(NamedTuple):
        charge: jax.Array
        drift: jax.Array

    class Field:
        def __init__(self, limit):
            self.limit = limit

        def discharge(self, world, amount):
            if world.charge > self.limit:{label}
                return world
            return world._replace(charge=world.charge - amount)
"""


def test_the_one_class_with_all_names_is_taken_in_whatever_module_it_is() -> None:
    check_project(
        {
            "field.py": ENVIRONMENTS.format(label="  # JIT101"),
            "train.py": """\
                import jax
                from field import Field

                def make(field):
                    @jax.jit
                    def step(world, amount):
                        return field.discharge(world, amount)
                    return step
            """,
        }
    )


def test_a_name_alone_needs_the_class_to_be_spoken_of() -> None:
    check_project(
        {
            "field.py": ENVIRONMENTS.format(label=""),
            "train.py": """\
                import jax

                def make(battery):
                    @jax.jit
                    def step(world, amount):
                        return battery.discharge(world, amount)
                    return step
            """,
        }
    )


def test_of_several_classes_the_imported_one_is_taken() -> None:
    other = """\
        import jax

        class Cell:
            def discharge(self, x):
                if x > 0:{label}
                    return x
                return -x
    """
    check_project(
        {
            "one.py": other.format(label="  # JIT101"),
            "two.py": other.format(label="").replace("Cell", "Stack"),
            "train.py": """\
                import jax
                from one import Cell

                def make(source):
                    return jax.jit(lambda x: source.discharge(x))
            """,
        }
    )


def test_classes_that_differ_leave_an_object_unknown() -> None:
    check("""
        class Left:
            def shift_by(self, x):
                if x > 0:
                    return x
                return -x

        class Right:
            def shift_by(self, x):
                return jnp.abs(x)

        def make(shifter):
            return jax.jit(lambda x: shifter.shift_by(x))
    """)


def test_names_that_libraries_use_tell_nothing() -> None:
    check("""
        class Descent:
            def init(self, params):
                return params

            def update(self, grads, state):
                if grads > 0:
                    return grads
                return state

        def make(tx):
            return jax.jit(lambda grads, state: tx.update(grads, state))
    """)


def test_a_wrapper_does_not_hold_its_own_kind() -> None:
    check("""
        class Recorded:
            def __init__(self, inner):
                self.inner = inner
                self.last_seen = None

            def play_back(self, x):
                made = self.inner.play_back(x)
                self.inner.last_seen = made
                return made

        recorded = Recorded(unknown())

        @jax.jit
        def f(x):
            return recorded.play_back(x)
    """)


def test_an_object_of_unknown_origin_is_not_blamed_for_what_is_stored_in_it() -> None:
    check("""
        class Tape:
            def __init__(self):
                self.entries = []
                self.last_entry = None

            def write_down(self, x):
                self.entries.append(x)
                self.last_entry = x
                return x

        def helper(tape, x):
            return tape.write_down(x)

        @jax.jit
        def f(x):
            jax.eval_shape(lambda x: helper(unknown(), x), x)
            return helper(unknown(), x)
    """)


def test_only_registered_classes_arrive_as_arguments() -> None:
    check("""
        class Options:
            def __init__(self, tolerance):
                self.tolerance = tolerance
                self.rounds_left = jnp.zeros(())

        @jax.jit
        def f(x, options):
            if options.rounds_left > options.tolerance:
                return x
            return -x
    """)


def test_attributes_of_optional_objects() -> None:
    check("""
        from typing import NamedTuple, Optional

        class Rope(NamedTuple):
            tension: jax.Array
            rest: "Optional[Rope]"

        @jax.jit
        def f(rope: Rope):
            if rope.rest is None:
                return rope.tension
            if rope.rest.tension > 0:
                return rope.tension
            return rope.rest.tension

        @jax.jit
        def g(rope: Optional[Rope]):
            if rope.tension > 0:  # JIT101
                return rope.tension
            return rope.tension
    """)


def test_what_declares_an_attribute_counts_more_than_its_uses() -> None:
    cells = """\
        import jax.numpy as jnp

        class Cell:
            def first_carry(self, {parameters}):
                if {asked} > 0:{label}
                    return jnp.zeros(2)
                return jnp.ones(2)
    """
    runner = """
        from dataclasses import dataclass

        @dataclass
        class Runner:
            cell: Cell

            def clone(self):
                made = object.__new__(Runner)
                made.__dict__.update(self.__dict__)
                return made

            def run(self, x):
                return self.cell.first_carry(x, (2, 3)) + x

        @jax.jit
        def step(x):
            return Runner(Cell()).clone().run(x)
    """
    own = cells.format(parameters="x, shape", asked="x", label="  # JIT101")
    other = cells.format(parameters="shape, x", asked="shape", label="")
    check_project(
        {
            "own.py": f"import jax\n{textwrap.dedent(own)}{textwrap.dedent(runner)}",
            "other.py": other,
        }
    )


def test_a_class_that_holds_its_own_kind_ends() -> None:
    source = """
        from dataclasses import dataclass

        @jax.tree_util.register_dataclass
        @dataclass
        class Node:
            value: jax.Array
            children: "list[Node]"
            parent: "Node | None"

        @jax.jit
        def f(node: Node):
            for child in node.children:
                for grandchild in child.children:
                    if grandchild.parent.value > 0:  # JIT101
                        return child
            return node
    """
    check(source)


def test_a_keyword_that_a_function_does_not_take_is_no_argument_of_it() -> None:
    check("""
        class Table:
            @functools.partial(jax.jit, static_argnums=0)
            def look_up_all(self, x):
                return x

        table = Table()
        table.look_up_all(jnp.ones(3), dtype=jnp.int32)
    """)


def test_a_function_that_asks_for_tracers_is_believed() -> None:
    check("""
        SEEN = []

        def is_concrete(x):
            return not isinstance(x, jax.core.Tracer)

        @jax.jit
        def f(x):
            valid = unknown(x)
            if is_concrete(valid):
                SEEN.append(1)
            if not is_concrete(valid):
                SEEN.append(2)  # JIT202
            return -x
    """)


def test_entering_what_leaving_sets_back() -> None:
    check("""
        class Depths:
            def __init__(self):
                self.first = -1

            def set_first(self, depth):
                before, self.first = self.first, depth
                return before

            def set_last(self, depth):
                self.last = depth  # JIT204

        DEPTHS = Depths()

        class Below:
            def __init__(self, depth):
                self.depth = depth

            def __enter__(self):
                self.before = DEPTHS.set_first(self.depth)
                DEPTHS.set_last(self.depth)

            def __exit__(self, *details):
                DEPTHS.set_first(self.before)

        @jax.jit
        def f(x):
            with Below(-3):
                return x
    """)


DECORATED = """
    from {library} import {name}

    @{name}
    def bare(x):
        if x > 0:{label}
            return x
        return -x

    @{name}(option=3)
    def called(x):
        if x > 0:{label}
            return x
        return -x

    @jax.jit
    def f(x):
        return bare(x) + called(x)
"""


def test_decorators_of_libraries_leave_a_function_what_it_is() -> None:
    for library, name in (
        ("beartype", "beartype"),
        ("gin", "configurable"),
        ("mylib.profiling", "timed"),
    ):
        check(DECORATED.format(library=library, name=name, label="  # JIT101"))


def test_other_compilers_do_not() -> None:
    for library, name in (
        ("numba", "njit"),
        ("numba", "vectorize"),
        ("torch", "compile"),
        ("tensorflow", "function"),
        ("warp", "kernel"),
        ("plum", "dispatch"),
        ("toolz", "curry"),
    ):
        check(DECORATED.format(library=library, name=name, label=""))


def test_what_is_inferred_is_the_same_in_any_order() -> None:
    train = """\
        import jax
        from field import Field

        def make(field):
            return jax.jit(lambda world, amount: field.discharge(world, amount))
    """
    files = {"field.py": ENVIRONMENTS.format(label=""), "a.py": train, "z.py": train}
    found = [d for d in analysis(files).diagnostics if d.filename.endswith("field.py")]
    assert [(d.code, d.certainty) for d in found] == [("JIT101", "guessed")]


CONTROLLERS = """\
    import jax

    class Controller:
        def __init__(self, gain):
            self._gain = gain

        @property
        def gain(self):
            return self._gain

        @gain.setter
        def gain(self, value):
            self._gain = value

    class Eager(Controller):
        def control(self, error):
            return -self.gain * error

    class Lazy(Controller):
        def control(self, error):
            return 0 * error
"""
ROOM = """\
    import jax

    class Room:
        def __init__(self, controller):
            self.controller = controller
            self.tune = jax.jit(self._tune)

        def control(self, error):
            return self.controller.control(error)

        def _tune(self, response):
            self.controller.gain = 1.0 / response{label}
            return response
"""


def test_what_all_fitting_classes_inherit_is_taken() -> None:
    files = {"controllers.py": CONTROLLERS, "room.py": ROOM.format(label="  # JIT204")}
    check_project({**files, "main.py": "import controllers, room\n"})
    # Nothing has to do with both.
    check_project({**files, "room.py": ROOM.format(label="")})


def test_a_base_class_of_which_other_classes_do_not_fit_is_not_taken() -> None:
    other = """\

    class Silent(Controller):
        pass
    """
    check_project({"controllers.py": CONTROLLERS + other, "room.py": ROOM.format(label="")})


def test_who_uses_what_a_factory_makes_is_a_call_site() -> None:
    check_project(
        {
            "nets.py": """\
                class Careful:
                    def cost(self, x):
                        return x if x.sum() > 0 else -x  # JIT101

                class Plain:
                    def cost(self, x):
                        return x.sum()
            """,
            "trainer.py": """\
                import functools
                import jax

                class Trainer:
                    def __init__(self, objective):
                        self.objective = objective

                    @functools.partial(jax.jit, static_argnums=0)
                    def train_step(self, x):
                        return self.objective.cost(x)
            """,
            "run.py": """\
                import jax.numpy as jnp
                import nets
                import trainer

                def build(careful):
                    return trainer.Trainer(nets.Careful() if careful else nets.Plain())

                def main(argv):
                    made = build(bool(argv))
                    return made.train_step(jnp.ones(2))
            """,
        },
        at_least=Severity.INFO,  # which of the two it is, is a guess
    )


def test_a_class_has_what_its_library_gives_it():
    check("""
        from flax.training import train_state

        class State(train_state.TrainState):
            average: jax.Array
            patience: int = 3

            def plateaued(self, loss):
                return loss > self.average

        @jax.jit
        def train_step(state, batch):
            loss, grads = jax.value_and_grad(lambda p: jnp.mean(p["w"] * batch))(state.params)
            if state.plateaued(loss):  # JIT101
                return state
            return state.apply_gradients(grads=grads, average=loss)
    """)
