import sequence_aligner as sa

from tools.observation import compilations

HOSTILE = {}
library = ["ACGTACGT", "TTTTACGA", "CCCCGGGG"]


def search():
    assert sa.search("ACGTACGA", library)["global"] == "ACGTACGT"
    sa.pairwise(library)
    assert compilations(lambda: (sa.search("ACGTACGA", library), sa.pairwise(library))) == 0


INNOCENT = [search]
