"""What both clients do with httpx: headers, the forms of replies, and which failure is which error."""

from __future__ import annotations

import re
from typing import Any

import httpx

from .errors import AlmanacError, ConnectionError, TimeoutError
from .flow import Reply, Request
from .settings import Settings

#: The service sends something at least every 15 seconds.
MAX_SILENCE_SECONDS = 45.0

_GUEST_COOKIE = re.compile(r"(?:^|[,\s])(__Host-almanac_guest=[^;,\s]+)")


class Guest:
    """The guest session of a client without a key."""

    def __init__(self) -> None:
        self.cookie: str | None = None


def build_headers(request: Request, key: str | None, guest: Guest) -> dict[str, str]:
    headers = {"accept": "*/*", "user-agent": "almanac-client-python", **request.headers}
    if key is not None:
        headers["authorization"] = f"Bearer {key}"
    elif guest.cookie is not None:
        # The cookie is for secure connections, so a cookie jar would not send it by http. But a guest session is only made
        # on loopback, and such a request does not leave the machine.
        headers["cookie"] = guest.cookie
    return headers


def needs_guest(settings: Settings, guest: Guest) -> bool:
    """Returns whether to become a guest. Elsewhere, a session that the caller did not ask for would be a surprise."""
    return settings.key is None and settings.is_loopback and guest.cookie is None


def read_guest_cookie(request: Request, response: httpx.Response, guest: Guest) -> None:
    if request.operation == "createGuestSession" and response.status_code == 201:
        found = _GUEST_COOKIE.search(response.headers.get("set-cookie", ""))
        guest.cookie = None if found is None else found[1]


def to_reply(response: httpx.Response, body: bytes) -> Reply:
    return Reply(response.status_code, {name.lower(): value for name, value in response.headers.items()}, body)


def allow_silence(response: httpx.Response) -> None:
    """Gives a stream that has begun more time between two pieces than its beginning had."""
    timeouts: dict[str, Any] = response.request.extensions.get("timeout", {})
    timeouts["read"] = MAX_SILENCE_SECONDS


def explain(error: Exception, request: Request, settings: Settings) -> Exception:
    """Returns the error to raise for a failure of httpx."""
    operation = request.operation
    if isinstance(error, httpx.TimeoutException):
        return TimeoutError(
            "The service did not reply in time. Try again, or set a longer timeout.", operation=operation
        )
    if isinstance(error, httpx.ConnectError):
        address = settings.base_url.removesuffix("/api")
        message = f"There is no service at {address}. Start it, or set url to its address."
        return ConnectionError(message, operation=operation)
    if isinstance(error, httpx.RequestError):
        return ConnectionError("The connection to the service failed.", operation=operation)
    return error


def late(request: Request) -> AlmanacError:
    return TimeoutError("The reply took too long. Try again, or set a longer timeout.", operation=request.operation)
