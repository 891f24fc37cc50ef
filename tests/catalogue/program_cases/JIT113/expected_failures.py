import test_modes


def masks():
    case = test_modes.TestMask()
    case.test_mask()
    case.test_text()


HOSTILE = {}
INNOCENT = [
    test_modes.test_branch,
    test_modes.test_string,
    test_modes.test_plain,
    masks,
    test_modes.test_optional,
]
