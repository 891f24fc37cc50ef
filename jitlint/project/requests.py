"""Functions that a server calls for each request: nobody calls them in sight, and often."""

from __future__ import annotations

import re
from typing import Final

from jitlint.project.units import Unit
from jitlint.project.walks import dotted

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


def answers_requests(unit: Unit) -> bool:
    """Whether a function or method is called for each request that a server gets."""
    if unit.decorated and unit.finds(_ROUTES):
        return True
    if unit.cls is None:
        return False
    name = unit.name
    bases = ((dotted(base) or "").rpartition(".")[2] for base in unit.cls.bases)
    return any(base in _HANDLERS and _HANDLERS[base].fullmatch(name) for base in bases)
