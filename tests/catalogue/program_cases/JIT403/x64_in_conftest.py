import conftest  # switches x64 on, as pytest would
import test_quadrature

HOSTILE = {}
INNOCENT = [test_quadrature.test_square]
