"""The flow of one call: attempts, pauses, and the data of the reply without its envelope."""

from __future__ import annotations

import json
from typing import Any

from .errors import AlmanacError, ConnectionError, UnexpectedReplyError, error_for_status
from .flow import Flow, Pause, Reply, Request, Send
from .retry import choose_delay, is_temporary, read_retry_after
from .settings import Settings


def send(settings: Settings, request: Request) -> Flow[Any]:
    """Sends a request, again after temporary failures if it may be repeated. Returns the data."""
    attempts = 0
    while True:
        attempts += 1
        try:
            reply: Reply = yield Send(request)
            return read_reply(request, reply)
        except AlmanacError as error:
            error.attempts = attempts
            delay = choose_delay(attempts, settings.retry_delay, error.retry_after)
            if not request.can_repeat or attempts > settings.max_retries or not is_temporary(error) or delay is None:
                raise
        yield Pause(delay)


def read_reply(request: Request, reply: Reply) -> Any:
    """Returns the data of a reply. Raises the error that it states."""
    if not 200 <= reply.status < 300:
        raise read_error(request, reply)
    if not _is_json(reply):
        raise _unexpected(request, reply)
    body = _parse(request, reply)
    if isinstance(body, dict):
        if request.envelope == "data" and "data" in body:
            return body["data"]
        if request.envelope == "ok" and body.get("ok") is True:
            return {name: value for name, value in body.items() if name != "ok"}
    raise _unexpected(request, reply)


def read_error(request: Request, reply: Reply) -> AlmanacError:
    """Reads the error of a reply, in either of the two forms that the service uses."""
    body = _parse(request, reply) if _is_json(reply) else None
    fields = body if isinstance(body, dict) else {}
    error = fields.get("error")
    stated: dict[str, Any] = error if isinstance(error, dict) else fields
    # The operations of Search and Download have the code in `error`.
    code = stated.get("code") or (error if isinstance(error, str) else None)
    message = stated.get("message")
    if not isinstance(message, str):
        if 300 <= reply.status < 400:
            return _unexpected(request, reply)
        message = f"The service replied with status {reply.status}."
    if reply.status == 401:
        message += " Check the argument key of the client, or the variable ALMANAC_KEY."
    return error_for_status(reply.status)(
        message,
        operation=request.operation,
        status=reply.status,
        code=code if isinstance(code, str) else None,
        request_id=stated.get("request_id") or reply.headers.get("x-request-id"),
        retry_after=read_retry_after(reply.headers.get("retry-after")),
    )


def _parse(request: Request, reply: Reply) -> Any:
    try:
        return json.loads(reply.body)
    except ValueError:
        # A reply that a proxy cut off is not always an error of the connection, but it is not JSON then.
        raise ConnectionError("The reply of the service is incomplete.", operation=request.operation) from None


def _unexpected(request: Request, reply: Reply) -> UnexpectedReplyError:
    if 300 <= reply.status < 400:
        reason = "The reply is a redirect. Set url to the final address of the service."
    else:
        reason = (
            f"The reply with status {reply.status} is not one of Almanac. "
            "Check url, and what stands between the client and it."
        )
    return UnexpectedReplyError(
        reason, operation=request.operation, status=reply.status, request_id=reply.headers.get("x-request-id")
    )


def _is_json(reply: Reply) -> bool:
    return reply.headers.get("content-type", "").lower().split(";")[0].strip() == "application/json"
