import warnings

import unused

from tools.harm import differs_from_eager


def same():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not differs_from_eager(unused.main)


HOSTILE = {}
INNOCENT = [same]
