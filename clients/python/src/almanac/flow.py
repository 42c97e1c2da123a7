"""Flows: what a call does, without doing it.

A flow is a generator. It yields what it needs, such as a request to send, and gets the answer. `blocking.py` and
`awaiting.py` run the same flows, one with blocking and one with asynchronous calls, so that nothing is written twice.
"""

from __future__ import annotations

import inspect
import json
import secrets
from dataclasses import dataclass, field
from typing import Any, Callable, Generator, Generic, Mapping, TypeVar, Union
from urllib.parse import quote, urlencode

from .errors import ArgumentError

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """A request that can be sent several times."""

    operation: str
    method: str
    #: The path with its query, below the base address.
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    #: Whether a repetition has no further effect. Other requests are sent once.
    can_repeat: bool = True
    #: Which form a successful reply has: `{"data": …}`, or `{"ok": true, …}` of Search and Download.
    envelope: str = "data"


@dataclass(frozen=True)
class Reply:
    status: int
    #: The names are in lower case. They can have the cookie of a guest session, so they are not shown.
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True)
class Send:
    """Sends a request once. The answer is the whole reply."""

    request: Request


@dataclass(frozen=True)
class Open:
    """Sends a request for a stream. The answer is the reply, without a body if it is a stream."""

    request: Request


@dataclass(frozen=True)
class Read:
    """Reads from the open stream. The answer is some bytes, or None at its end."""


@dataclass(frozen=True)
class Close:
    """Closes the open stream. A stream is also closed when its flow ends."""


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Emit(Generic[T]):
    """Hands an item to the caller, who iterates."""

    value: T


Effect = Union[Send, Open, Read, Close, Pause]
#: A flow that returns one result.
Flow = Generator[Effect, Any, T]
#: A flow that hands out items.
Items = Generator[Union[Effect, Emit[T]], Any, None]


def get(operation: str, path: str, query: Mapping[str, object] | None = None) -> Request:
    """Builds a request that reads."""
    texts = {name: _as_text(value) for name, value in (query or {}).items() if value is not None}
    return Request(operation, "GET", f"{path}?{urlencode(texts)}" if texts else path)


def post(
    operation: str,
    path: str,
    body: Mapping[str, object] | None = None,
    *,
    method: str = "POST",
    can_repeat: bool = False,
    envelope: str = "data",
    idempotency_key: str | None = None,
) -> Request:
    """Builds a request that writes, or reads with a body. Fields that are None are left out."""
    headers: dict[str, str] = {}
    content = None
    if body is not None:
        headers["content-type"] = "application/json"
        try:
            fields = {name: value for name, value in body.items() if value is not None}
            content = json.dumps(fields, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise ArgumentError(
                f"{operation}: an argument cannot be sent as JSON ({error}). Pass texts and numbers."
            ) from None
    if idempotency_key is not None:
        headers["idempotency-key"] = idempotency_key
    return Request(operation, method, path, headers, content, can_repeat or idempotency_key is not None, envelope)


def segment(name: str, value: object) -> str:
    """Encodes a part of a path. Refuses one that would change the path."""
    if not isinstance(value, str) or value == "":
        raise ArgumentError(f"{name}: is missing. Pass it as a text.")
    if value in (".", ".."):
        raise ArgumentError(f"{name}: must not be {value}. Pass an id.")
    return quote(value, safe="")


def create_idempotency_key() -> str:
    """Returns a random key. All attempts of one call have the same."""
    return f"almanac-{secrets.token_hex(16)}"


def present(call: Callable[..., Any], flow: Callable[..., Any], returned: str = "{}") -> None:
    """Makes `help` show a method with the arguments of its flow, and with what the method returns.

    `{}` in `returned` stands for the result or the item of the flow.
    """
    signature = inspect.signature(flow)
    inner = str(signature.return_annotation).partition("[")[2][:-1]
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    parameters = [own, *list(signature.parameters.values())[1:]]
    call.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=parameters, return_annotation=returned.format(inner)
    )


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
