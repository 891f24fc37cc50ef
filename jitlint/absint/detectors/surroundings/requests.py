"""Functions that a server calls for each request: nobody calls them in sight, and often."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.declarations import bases_of

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code

#: decorators that give a function a path: of Flask, FastAPI, Starlette, Sanic, aiohttp
_ROUTES: Final = re.compile(
    r"@[\w.]+\.(?:route|api_route|get|post|put|patch|delete|websocket)\(\s*f?[\"']/"
)
#: the last name of a base, and the methods of such a class that answer requests
_HANDLERS: Final = {
    "BaseHTTPRequestHandler": re.compile(r"do_[A-Z]+"),
    "SimpleHTTPRequestHandler": re.compile(r"do_[A-Z]+"),
    "BaseRequestHandler": re.compile(r"handle"),
    "StreamRequestHandler": re.compile(r"handle"),
    "RequestHandler": re.compile(r"get|post|put|patch|delete"),
    "MethodView": re.compile(r"get|post|put|patch|delete"),
    "HTTPEndpoint": re.compile(r"get|post|put|patch|delete"),
}


def answers_requests(code: Code) -> bool:
    """Whether a function is called for each request that a server gets."""
    unit = code.unit
    if unit.decorated and code.qualname == unit.qualname and _ROUTES.search(unit.text):
        return True
    if code.cls is None:
        return False
    patterns = [_HANDLERS.get((base or "").rpartition(".")[2]) for base in bases_of(code.cls)]
    return any(pattern is not None and pattern.fullmatch(code.name) for pattern in patterns)
