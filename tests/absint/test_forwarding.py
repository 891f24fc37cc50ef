"""What wrappers hand on is called where they are called, with what stands there."""

from __future__ import annotations

from tests.linting import check

WRAPPED = """\
    import functools

    import jax
    import jax.numpy as jnp

    def decorate(fun):
        @functools.wraps(fun)
        def wrapper(*args, **kwargs):
            {body}

        return wrapper

    @decorate
    def quantile(values, level):
        at = jax.jit(lambda v: jnp.quantile(v, level)){label}
        return at(values)

    def summary(values):
        return quantile(values, 0.1), quantile(values, level=0.9)
"""


def _wrapped(body: str, label: str = "  # JIT303") -> str:
    return WRAPPED.format(body=body, label=label)


def test_a_wrapper_that_hands_everything_on() -> None:
    check(_wrapped("return fun(*args, **kwargs)"))
    check(_wrapped("print(fun.__name__, args)\n            return fun(*args, **kwargs)"))


def test_other_arguments_are_not_those_of_the_caller() -> None:
    # What is called is called once, as far as it is known with what.
    check(_wrapped("kwargs.pop('level', None)\n            return fun(*args, level=0.5)", ""))
    check(_wrapped("args = args[:1]\n            return fun(*args, level=0.5, **kwargs)", ""))


def test_a_helper_that_is_given_the_function() -> None:
    check("""
        import jax
        import jax.numpy as jnp

        def called(fun, *args):
            return fun(*args)

        def quantile(values, level):
            at = jax.jit(lambda v: jnp.quantile(v, level))  # JIT303
            return at(values)

        def summary(values):
            return called(quantile, values, 0.1), called(quantile, values, 0.9)
    """)


def test_methods() -> None:
    check("""
        import functools

        import jax
        import jax.numpy as jnp

        def logged(fun):
            @functools.wraps(fun)
            def wrapper(self, *args, **kwargs):
                return fun(self, *args, **kwargs)

            return wrapper

        class Summary:
            @logged
            def quantile(self, values, level):
                at = jax.jit(lambda v: jnp.quantile(v, level))  # JIT303
                return at(values)

            def ends(self, values):
                return self.quantile(values, 0.1), self.quantile(values, 0.9)
    """)
