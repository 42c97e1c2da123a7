"""What a call can raise. The names are those of the TypeScript client."""

from __future__ import annotations

from typing import Any, Mapping


class ArgumentError(ValueError):
    """An argument cannot be sent. The message names it and states what to do. Nothing was sent."""


class AlmanacError(Exception):
    """Every failure of a call."""

    #: How often the request was sent.
    attempts: int = 1

    def __init__(
        self,
        message: str,
        *,
        operation: str,
        status: int | None = None,
        code: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The id of the operation in the OpenAPI document, such as `createForecast`.
        self.operation = operation
        #: The HTTP status; None if there was no reply.
        self.status = status
        #: The code of the service; None if the reply has none.
        self.code = code
        #: The id under which the log of the service has the request.
        self.request_id = request_id
        #: How many seconds the service asks to wait.
        self.retry_after = retry_after


class ConnectionError(AlmanacError):
    """The service could not be reached, or the connection ended before the whole reply was there."""


class TimeoutError(ConnectionError):
    """An attempt took longer than `timeout`."""


class UnexpectedReplyError(AlmanacError):
    """The reply is not one of Almanac, for example a page of a proxy or a redirect."""


class InvalidRequestError(AlmanacError):
    """The service refuses the request as malformed or impossible (400, 405, 413, 415, 422)."""


class UnauthenticatedError(AlmanacError):
    """The credential is missing, expired or revoked (401)."""


class DeniedError(AlmanacError):
    """The caller may not do this (403)."""


class NotFoundError(AlmanacError):
    """The object does not exist, or the caller may not see it (404)."""


class ConflictError(AlmanacError):
    """The request conflicts with the state of the object, or the object has changed (409, 412)."""


class LimitedError(AlmanacError):
    """There were too many requests, or the plan has too few credits or slots left (429)."""


class ServiceError(AlmanacError):
    """The service failed or cannot respond now (408, 5xx)."""


class ForecastFailedError(AlmanacError):
    """A forecast has failed or was canceled."""

    def __init__(self, forecast: Mapping[str, Any]) -> None:
        error = forecast.get("error") or {}
        message = error.get("message") or "The forecast failed."
        super().__init__(message, operation="readForecast", code=error.get("code"))
        #: The forecast as the service returns it.
        self.forecast = forecast


_BY_STATUS: Mapping[int, type[AlmanacError]] = {
    400: InvalidRequestError,
    401: UnauthenticatedError,
    403: DeniedError,
    404: NotFoundError,
    405: InvalidRequestError,
    408: ServiceError,
    409: ConflictError,
    412: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: LimitedError,
}


def error_for_status(status: int) -> type[AlmanacError]:
    """Returns the class of the error for a reply of the service."""
    return _BY_STATUS.get(status, ServiceError if status >= 500 else AlmanacError)
