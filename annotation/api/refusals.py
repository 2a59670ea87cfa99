"""What every route may refuse, in the OpenAPI schema."""

from __future__ import annotations

from typing import Any

NAME = "Refusal"
REFUSAL = {
    "type": "object",
    "description": "Why a request was refused; some refusals carry more, such as `fields`.",
    "properties": {
        "code": {"type": "string", "description": "For programs."},
        "detail": {"type": "string", "description": "For people, in their language."},
        "fields": {
            "type": "object",
            "additionalProperties": {},
            "description": "With the code `invalid`: what is wrong, by the name of the field.",
        },
    },
    "required": ["code", "detail"],
    "additionalProperties": {},
}
SAID = {
    "400": "The request cannot be understood, or a value is out of bounds.",
    "401": "Not logged in, or the token is not valid (any more).",
    "403": "Logged in, but not allowed to do this.",
    "404": "It does not exist, or it is not for this user to see.",
    "406": "The route writes none of the accepted formats.",
    "409": "It contradicts what is stored.",
    "415": "The route does not read this format.",
    "429": "Too many requests: try again after `Retry-After` seconds.",
    "503": "The database is away: try again after `Retry-After` seconds.",
    "507": "The server has no room for the file.",
}
METHODS = ("get", "post", "put", "patch", "delete")


def add_refusals(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add to every operation the refusals that it may answer (a hook of drf-spectacular)."""
    result["components"]["schemas"][NAME] = REFUSAL
    for methods in result["paths"].values():
        for method in METHODS:
            if method in methods:
                responses = methods[method]["responses"]
                for status in _possible(method, methods[method]):
                    responses.setdefault(status, _response(status))
                    responses[status].setdefault("content", _content())
                methods[method]["responses"] = dict(sorted(responses.items()))
    return result


def _possible(method: str, operation: dict[str, Any]) -> list[str]:
    given = [one["in"] for one in operation.get("parameters", [])]
    body: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    found = ["401", "403", "406", "429", "503"]
    if body or "query" in given:
        found.append("400")
    if "path" in given or "query" in given:
        found.append("404")
    if method != "get":
        # Every other method is parsed, whether or not the route reads a body.
        found += ["400", "404", "409", "415"]
    if any(kind.startswith("multipart/") for kind in body):
        found.append("507")
    return found


def _response(status: str) -> dict[str, Any]:
    return {"description": SAID[status]}


def _content() -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{NAME}"}}}
