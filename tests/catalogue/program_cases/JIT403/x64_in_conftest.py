import conftest
import test_quadrature

HOSTILE = {}
INNOCENT = [test_quadrature.test_square]
