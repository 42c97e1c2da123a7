"""A client for the API of Almanac, the self-hosted forecasting service.

    import almanac

    forecast = almanac.forecast(series, 12)

The functions of this module use one client with the variables ALMANAC_URL and ALMANAC_KEY.
"""

from __future__ import annotations

import functools
import inspect
import threading
from typing import Callable, Concatenate, ParamSpec, TypeVar

from .aio import AsyncAlmanac, AsyncForecast
from .batch import Batch
from .client import Almanac, Forecast
from .errors import (
    AlmanacError,
    ArgumentError,
    ConflictError,
    ConnectionError,
    DeniedError,
    ForecastFailedError,
    InvalidRequestError,
    LimitedError,
    NotFoundError,
    ServiceError,
    TimeoutError,
    UnauthenticatedError,
    UnexpectedReplyError,
)
from .progress import Progress
from .result import Audit, Member, Outcome, Proof, Scores
from .rows import Rows
from .types import Estimate, Event, Filter, Match, Revision, SearchResult, Source
from .watch import ForecastEvent

P = ParamSpec("P")
T = TypeVar("T")

_shared: list[Almanac] = []
_lock = threading.Lock()


def _share_client() -> Almanac:
    """Returns the client of the functions of this module, which the first call makes."""
    with _lock:
        if not _shared:
            _shared.append(Almanac())
        return _shared[0]


def _function(method: Callable[Concatenate[Almanac, P], T]) -> Callable[P, T]:
    @functools.wraps(method)
    def call(*args: P.args, **options: P.kwargs) -> T:
        return method(_share_client(), *args, **options)

    signature = inspect.signature(method)
    parameters = list(signature.parameters.values())[1:]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return call


forecast = _function(Almanac.forecast)
forecast_many = _function(Almanac.forecast_many)
history = _function(Almanac.history)
search = _function(Almanac.search)
describe = _function(Almanac.describe)
observations = _function(Almanac.observations)

__all__ = [
    "Almanac",
    "AlmanacError",
    "ArgumentError",
    "AsyncAlmanac",
    "AsyncForecast",
    "Audit",
    "Batch",
    "ConflictError",
    "ConnectionError",
    "DeniedError",
    "Estimate",
    "Event",
    "Filter",
    "Forecast",
    "ForecastEvent",
    "ForecastFailedError",
    "InvalidRequestError",
    "LimitedError",
    "Match",
    "Member",
    "NotFoundError",
    "Outcome",
    "Progress",
    "Proof",
    "Revision",
    "Rows",
    "Scores",
    "SearchResult",
    "ServiceError",
    "Source",
    "TimeoutError",
    "UnauthenticatedError",
    "UnexpectedReplyError",
    "describe",
    "forecast",
    "forecast_many",
    "history",
    "observations",
    "search",
]
