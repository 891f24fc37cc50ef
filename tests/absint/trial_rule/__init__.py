"""A new rule in its three files: an event, a detector, a rule; see ``test_trial_rule``.

The sketch of a rule on clocks that are read around a call of a jitted function, which returns
before its work is done.  It only knows the simplest ways to wait; as a rule of jitlint it would be
told of all of them by a signal.
"""
