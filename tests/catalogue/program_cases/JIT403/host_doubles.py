import warnings

import doubles


def silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        doubles.main()


HOSTILE = {}
INNOCENT = [silent]
