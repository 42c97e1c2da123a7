"""The asynchronous client, which runs the same flows."""

from __future__ import annotations

import asyncio
import functools
from contextlib import aclosing
from typing import Any, AsyncIterator, Awaitable, Callable, Concatenate, Generator, Mapping, ParamSpec, TypeVar

import httpx

from . import account, data, events, forecasting, screener
from .awaiting import Connection, Returned, Runner, drive, listing, method
from .batch import DEFAULT_PARALLEL, Batch, is_expected, split_series
from .errors import UnauthenticatedError
from .flow import Flow, Items, present
from .http import Guest, needs_guest
from .progress import ProgressOption, ProgressReporter
from .result import Outcome, Proof, Result
from .settings import Key, Settings, change_limits, read_settings

P = ParamSpec("P")
T = TypeVar("T")


def _forecasting(
    flow: Callable[Concatenate[Settings, P], Flow[Result]]
) -> Callable[Concatenate[AsyncAlmanac, P], Awaitable[AsyncForecast]]:
    """Makes a method of a flow that returns a forecast, which can then use the client."""

    @functools.wraps(flow)
    async def call(client: AsyncAlmanac, /, *args: P.args, **options: P.kwargs) -> AsyncForecast:
        return AsyncForecast(client, await client._run(flow(client._settings, *args, **options)))

    present(call, flow, "AsyncForecast")
    return call


class _Namespace(Runner):
    def __init__(self, client: AsyncAlmanac) -> None:
        self._client = client
        self._settings = client._settings

    async def _run(self, flow: Flow[T]) -> T:
        return await self._client._run(flow)

    def _iterate(self, items: Items[T]) -> AsyncIterator[T]:
        return self._client._iterate(items)


class AsyncEvents(_Namespace):
    """Questions with a probability."""

    list = listing(events.list_events)
    read = method(events.read_event)
    publish = method(events.publish)
    revise = method(events.revise)
    revisions = listing(events.list_revisions)
    resolve = method(events.resolve)
    resolution = method(events.read_resolution)
    from_forecast = method(events.create_from_forecast)
    scoreboard = method(events.read_scoreboard)


class AsyncScreener(_Namespace):
    """Filters on daily bars."""

    fields = method(screener.list_fields)
    preview = method(screener.preview)
    list = method(screener.list_filters)
    save = method(screener.save)
    update = method(screener.update)
    delete = method(screener.delete)
    matches = listing(screener.list_matches)
    sessions = listing(screener.list_sessions)


class AsyncAlmanac(Runner):
    """The client `Almanac` with the same methods, which are awaited. Lists and events are read with `async for`."""

    def __init__(
        self,
        url: str | None = None,
        key: Key | None = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 3,
        retry_delay: float = 0.5,
    ) -> None:
        self._settings = read_settings(url, key, timeout, max_retries, retry_delay)
        # A proxy of the environment cannot reach a service on this machine.
        self._http = httpx.AsyncClient(trust_env=not self._settings.is_loopback, follow_redirects=False)
        self._guest = Guest()
        self._guest_lock = asyncio.Lock()

    forecast = _forecasting(forecasting.forecast)
    read_forecast = _forecasting(forecasting.read_forecast)
    _forecast_when_possible = _forecasting(forecasting.forecast_when_possible)
    estimate = method(forecasting.estimate)
    forecasts = listing(forecasting.list_forecasts)
    watch = listing(forecasting.watch_forecast)
    cancel = method(forecasting.cancel_forecast)
    delete = method(forecasting.delete_forecast)
    history = method(data.history)
    search = method(data.search)
    describe = method(data.describe)
    observations = method(data.observations)
    usage = method(account.read_usage)

    @property
    def events(self) -> AsyncEvents:
        return AsyncEvents(self)

    @property
    def screener(self) -> AsyncScreener:
        return AsyncScreener(self)

    async def forecast_many(
        self,
        data: Any,
        h: int,
        *,
        series: str | None = None,
        time: str | None = None,
        value: str | None = None,
        parallel: int = DEFAULT_PARALLEL,
        progress: ProgressOption = None,
        **options: Any,
    ) -> Batch[AsyncForecast]:
        """Forecasts several series, as `Almanac.forecast_many` does."""
        items = split_series(data, series, time, value)
        reporter = ProgressReporter(len(items), progress)
        results: dict[str, AsyncForecast] = {}
        errors: dict[str, Exception] = {}
        places = asyncio.Semaphore(max(1, parallel))

        async def run(name: str, rows: Any, columns: Mapping[str, Any]) -> None:
            async with places:
                try:
                    results[name] = await self._forecast_when_possible(rows, h, **columns, **options)
                except Exception as error:
                    if not is_expected(error):
                        raise
                    errors[name] = error
                reporter.count(failed=name in errors)

        tasks = [asyncio.ensure_future(run(name, *item)) for name, item in items.items()]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            reporter.finish()
        return Batch(list(items), results, errors)

    def with_options(
        self, *, timeout: float | None = None, max_retries: int | None = None, retry_delay: float | None = None
    ) -> AsyncAlmanac:
        """Returns a client with other limits, which shares the connections and the guest session of this one."""
        other = object.__new__(AsyncAlmanac)
        other.__dict__.update(self.__dict__)
        other._settings = change_limits(self._settings, timeout, max_retries, retry_delay)
        return other

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncAlmanac:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncAlmanac({self._settings.base_url.removesuffix('/api')!r})"

    async def _run(self, flow: Flow[T]) -> T:
        returned = Returned()
        async for _ in self._drive(flow, returned):
            pass
        result: T = returned.value
        return result

    def _iterate(self, items: Items[T]) -> AsyncIterator[T]:
        return self._drive(items, Returned())

    async def _drive(self, flow: Generator[Any, Any, Any], returned: Returned) -> AsyncIterator[Any]:
        # Two tasks must not become two guests, which cannot read each other's forecasts.
        async with self._guest_lock:
            if needs_guest(self._settings, self._guest):
                async for _ in drive(account.create_guest(self._settings), self._connect(), Returned()):
                    pass
        try:
            # A caller that leaves its loop early must not leave the connection open.
            async with aclosing(drive(flow, self._connect(), returned)) as items:
                async for item in items:
                    yield item
        except UnauthenticatedError:
            # The session may have expired; the next call becomes another guest.
            self._guest.cookie = None
            raise

    def _connect(self) -> Connection:
        return Connection(self._http, self._settings, self._guest)


class AsyncForecast(Result):
    """A completed forecast, as `Forecast` is. What needs the service is awaited, also `await forecast.proof`."""

    def __init__(self, client: AsyncAlmanac, result: Result) -> None:
        super().__init__(result.raw, result._series)
        self._client = client

    @property
    def proof(self) -> Awaitable[Proof]:
        """The proof with its receipt, as it is now."""
        return self._client._run(forecasting.read_proof(self._client._settings, self.id))

    async def outcome(self) -> Outcome:
        """Reads the actual values that are recorded so far, and the scores."""
        return self._build_outcome(await self._client._run(forecasting.read_outcome(self._client._settings, self.id)))

    async def record_outcome(self, data: Any, *, time: str | None = None, value: str | None = None) -> Outcome:
        """Records actual values of a forecast of the caller's own rows, and returns the outcome."""
        flow = forecasting.record_outcome(self._client._settings, self.id, self._labels, data, time, value)
        return self._build_outcome(await self._client._run(flow))
