"""Every budget of the analysis, with its reason.

Hitting a budget gives Unknown, never a report.  ``scaled`` makes all of them larger or smaller at
once, which is how what they save and what they lose is measured (``AnalysisOptions.budget_scale``).
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

#: levels of a syntax tree: the time and memory that libcst's parser takes grow with their square,
#: and Python itself compiles no more
SYNTAX_LEVELS: Final = 3_000
#: levels of a syntax tree that every Python can walk: early releases of 3.12 stop within 1,500
#: calls, whatever limit they are given
PLAIN_SYNTAX_LEVELS: Final = 200
#: alternatives kept apart in one value; more become Unknown.  More than that seldom agree on
#: anything, and the cost of a join grows with their square...
UNION_MEMBERS: Final = 6
#: ... but where all are functions they are the entries of a registry, each to be called.
UNION_CALLABLES: Final = 24
#: buffers of which an array may be the one; of more than that nobody can tell which is read again,
#: and values that loops join many times would keep them all
BUFFERS: Final = 16
#: levels of a value that are looked into where all that it holds counts: what is traced, its leaves
VALUE_LEVELS: Final = 6
#: the same where one tracer is looked for: what lies deeper is seldom an operand
TRACER_LEVELS: Final = 3
#: levels of functions in functions, of which the inmost tell one optimiser from another; objects
#: count for two
PROGRAM_LEVELS: Final = 4
#: how often ``partial`` hands on a parameter until a function is looked for that calls it
HANDED_ON: Final = 3
#: levels of a static argument that are looked into for what cannot be hashed
STATIC_LEVELS: Final = 4
#: levels of containers in what a transform hands on, or is given, that are looked into: what lies
#: deeper is Unknown to its body, and no reason for a report
ARGUMENT_LEVELS: Final = 4
#: calls below one that is not followed, in whose texts is looked for what they change
CHANGED_LEVELS: Final = 4
#: levels of objects that a copy for one trace copies as well: a state, its parts, what these hold
COPIED_LEVELS: Final = 3
#: levels of a type that are understood, aliases and quoted names included: they may be circular
ANNOTATION_LEVELS: Final = 6
#: levels of containers in which a text is looked for that shows a tracer
TEXT_LEVELS: Final = 2
#: functions of the project through which a decorator of classes leads to those of a library
DECORATOR_LEVELS: Final = 2
#: calls through which one surely calls back to the host
CALLED_LEVELS: Final = 6
#: functions through which one closes over what others close over: wrappers around wrappers
CLOSURE_LEVELS: Final = 3
#: names that stand for one another: ``rate = decayed; decayed = schedule(step)``
MEANING_LEVELS: Final = 3
#: functions that are read for the size of what they give: helpers of helpers
SIZE_LEVELS: Final = 3
#: statements of a function that is read for that: longer ones do more than make an array
SIZE_STATEMENTS: Final = 40
#: questions about sizes that lead to each other before no answer is given
SIZE_QUESTIONS: Final = 40
#: methods between what calls twice and the one in which a jitted function is made anew
CALLER_LEVELS: Final = 1
#: functions between the loop and the control flow that compiles in each of its turns
EAGER_LEVELS: Final = 1
#: functions between a loop and one that clears caches, itself included
CLEARING_LEVELS: Final = 3
#: the largest number and the longest text that constants are folded into
FOLDED: Final = 10_000
#: the largest exponent to which they are raised
FOLDED_EXPONENT: Final = 64
#: a loop over so few unlike elements runs once for each
UNROLLED: Final = 4
#: jitted functions whose compiled programs are told apart at one point of host code
COMPILED_FUNCTIONS: Final = 64
#: elements of a sequence that a comprehension, or ``map``, tells apart, and the last ones of a list
#: that are known where the others are not
APART: Final = 8
#: entries of a list or dict with leaves of unlike kinds up to which each is mapped by itself
MAPPED_APART: Final = 16
#: iterations of ``scan`` and its kin after which a carry that still changes is left as it is
CARRIED: Final = 3
#: functions that the code of modules makes in one place, each of other things, which are traced one
#: by one if nobody in sight calls any of them
MADE_APART: Final = 4
#: methods of a class that are run to see which functions they keep for others
KEEPING_METHODS: Final = 8
#: objects that are looked into to say what a parameter holds
LISTED_OBJECTS: Final = 100
#: values that are told apart for one parameter, for whoever calls its function
SKETCHES: Final = 4
#: levels of containers and objects, and parts of each, that such a value is told with
SKETCHED_LEVELS: Final = 4
SKETCHED_PARTS: Final = 24


class Limits(Struct, frozen=True):
    """Budgets of one analysis.

    Args:
      call_depth: nested calls that are followed.  Real traced code in the packages we read stays
        under 25; every level costs Python stack.
      recursion: activations of one function on the stack at once.  The first two see what
        the arguments become after one turn.
      counted_recursion: the same where each activation got another number: a level that is counted
        down.  A tree of calls grows with a power of it.
      wrappers: activations at once of one wrapper around different functions, which a decorator
        has made: methods that are decorated alike call each other.
      steps_per_root: syntax nodes evaluated for one root before the rest is Unknown.  One root
        of 247 in flax and one of 255 in brax reach 12,000, as does a loop over twenty models.
      module_steps: the same for all statements of a module's own code together; each of those that
        are left then has a tenth of what a root has.  No module of the packages we read takes
        more, but scripts do that compute outside of jit, statement by statement.
      last_steps: nodes evaluated after that, to finish what is open: calls are not followed any
        more, and what a loop changes is Unknown after one turn.  It takes a function of 2,000 rows
        to its end.
      contexts_per_function: different argument facts under which one function is interpreted
        before further ones are answered Unknown; keeps cost linear in the number of functions.
      host_contexts: the same for code outside every trace, where only what is handed to a transform
        matters.
      context_statements: statements of one function that are interpreted in all its contexts
        together, so that long functions are given fewer of them...
      least_contexts: ... but at least so many.
      last_contexts: contexts of traced code after that, of any arrays and floats in place of those
        that are passed: it is answered by them from then on.
      inner_contexts: contexts besides of a function that another has made anew: it is a part of
        that one, which is interpreted again, or is short of contexts itself.
      factory_contexts: the same for code that makes functions, each time another program that may
        be traced...
      factory_statements: ... and statements of one such function in all its contexts together.
      given_functions: the most contexts of code that is given another function, or an object of
        another class, each time: a helper of tests that jits what it is given, a loop that runs
        the solver that it is given.
      unrolled: iterations of a loop outside of traces over unlike functions or objects that are
        interpreted one by one; elsewhere, and over anything else, four.
      host_depth: calls that are followed below a starting point while nothing is traced, unless
        they make functions.
      module_depth: the same below the code of modules, of which others take what it makes.
      loop_rounds: turns of a fixpoint before what still changes is made Unknown.  The
        lattice is shallow: nearly every loop is stable after two.
      items: elements of a list, tuple or dict that are kept apart.
      partitions: ways into which repeated tests of one static condition may split a body.
      variants: other values than the defaults under which one function is run again, one at a time.
        Few functions have more; each costs as much as the function itself.
      snapshot: parts of the arguments that are compared before a call counts as not memoisable.
      receivers: classes as which an object of unknown class is taken when a method is called on it.
      filling_receivers: the same where they fill in what its class only declares, as each of the
        environments of a collection does: each brings code of its own.
      dispatches: how often that is done for one method; from then on the object is taken as one of
        the first of them.
      receiver_steps: steps for a call as each of them; they do not count for the starting point, of
        which nothing must be lost to another class.
      source_runs: how often the project's own source of one entry point of a framework is run
        beside what the tables say of it.
      inline_statements: statements of a function that host code may still be followed into when
        nothing says that it matters.
      inline_constructors: the same of what makes the attributes of an object.
      answer_statements: the same at any depth: what is so short is asked more often than it acts.
    """

    call_depth: int = 80
    recursion: int = 2
    counted_recursion: int = 5
    wrappers: int = 10
    steps_per_root: int = 20_000
    module_steps: int = 60_000
    last_steps: int = 36_000
    contexts_per_function: int = 40
    host_contexts: int = 16
    context_statements: int = 100
    least_contexts: int = 6
    last_contexts: int = 20
    inner_contexts: int = 2
    factory_contexts: int = 64
    factory_statements: int = 400
    given_functions: int = 48
    unrolled: int = 24
    host_depth: int = 3
    module_depth: int = 4
    loop_rounds: int = 6
    items: int = 64
    partitions: int = 4
    variants: int = 6
    snapshot: int = 400
    receivers: int = 12
    filling_receivers: int = 48
    dispatches: int = 2
    receiver_steps: int = 3_000
    source_runs: int = 4
    inline_statements: int = 12
    inline_constructors: int = 40
    answer_statements: int = 2

    def scaled(self, factor: float) -> Limits:
        """All budgets multiplied by ``factor``, none of them below one."""
        return Limits(
            **{name: max(1, round(given * factor)) for name, given in asdict(self).items()}
        )


#: values of a static argument that are programs of their own, and no harm
FEW_VALUES = 3
#: for how many sizes that are written down each may have a program of its own
FEW_SIZES = 7
