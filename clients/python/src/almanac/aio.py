"""The asynchronous client, which runs the same flows."""

from __future__ import annotations

import asyncio
import functools
import inspect
import time
from typing import Any, AsyncIterator, Awaitable, Callable, Concatenate, Generator, Mapping, ParamSpec, TypeVar

import httpx

from . import events, operations, screener
from .batch import DEFAULT_PARALLEL, Batch, is_expected, split_series
from .errors import UnauthenticatedError
from .flow import Close, Emit, Flow, Items, Open, Pause, Read, Reply, Request, Send, present
from .http import Guest, allow_silence, build_headers, explain, late, needs_guest, read_guest_cookie, to_reply
from .progress import ProgressOption, ProgressReporter
from .result import Outcome, Proof, Result
from .settings import Key, Settings, change_limits, check_key, read_settings

P = ParamSpec("P")
T = TypeVar("T")


class _Connection:
    """Does what one flow needs."""

    def __init__(self, http: httpx.AsyncClient, settings: Settings, guest: Guest) -> None:
        self._http = http
        self._settings = settings
        self._guest = guest
        self._stream: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] | None = None
        self._opened: Request | None = None

    async def perform(self, effect: object) -> Any:
        if isinstance(effect, Send):
            return await self._send(effect.request)
        if isinstance(effect, Open):
            return await self._open(effect.request)
        if isinstance(effect, Read):
            return await self._read()
        if isinstance(effect, Close):
            return await self.close()
        assert isinstance(effect, Pause)
        return await asyncio.sleep(effect.seconds)

    async def close(self) -> None:
        if self._stream is not None:
            await self._stream.aclose()
        self._stream = self._chunks = None

    async def _build(self, request: Request) -> httpx.Request:
        key: Any = self._settings.key
        # A function is called for each attempt, so that it can return a fresh token.
        if callable(key):
            key = key()
            key = check_key(await key if inspect.isawaitable(key) else key)
        headers = build_headers(request, key, self._guest)
        url = f"{self._settings.base_url}{request.path}"
        timeout = self._settings.timeout
        return self._http.build_request(request.method, url, headers=headers, content=request.body, timeout=timeout)

    async def _send(self, request: Request) -> Reply:
        built = await self._build(request)
        deadline = time.monotonic() + self._settings.timeout
        try:
            response = await self._http.send(built, stream=True)
            try:
                body = bytearray()
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if time.monotonic() > deadline:
                        raise late(request)
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise explain(error, request, self._settings) from error
        read_guest_cookie(request, response, self._guest)
        return to_reply(response, bytes(body))

    async def _open(self, request: Request) -> Reply:
        await self.close()
        built = await self._build(request)
        try:
            response = await self._http.send(built, stream=True)
            self._stream, self._opened = response, request
            if response.status_code != 200:
                return to_reply(response, await response.aread())
        except httpx.HTTPError as error:
            raise explain(error, request, self._settings) from error
        allow_silence(response)
        self._chunks = response.aiter_bytes()
        return to_reply(response, b"")

    async def _read(self) -> bytes | None:
        if self._chunks is None or self._opened is None:
            return None
        try:
            return await self._chunks.__anext__()
        except StopAsyncIteration:
            return None
        except httpx.HTTPError as error:
            raise explain(error, self._opened, self._settings) from error


class _Returned:
    """The result of a flow, which an asynchronous generator cannot return."""

    value: Any = None


async def _drive(items: Generator[Any, Any, Any], connection: _Connection, returned: _Returned) -> AsyncIterator[Any]:
    """Runs a flow. Yields the items that it hands out, and stores its result."""
    answer: Any = None
    failure: Exception | None = None
    try:
        while True:
            try:
                effect = items.send(answer) if failure is None else items.throw(failure)
            except StopIteration as stop:
                returned.value = stop.value
                return
            answer, failure = None, None
            if isinstance(effect, Emit):
                yield effect.value
                continue
            try:
                answer = await connection.perform(effect)
            except Exception as error:
                failure = error
    finally:
        items.close()
        await connection.close()


class _Runner:
    """Runs flows for the methods of a client and of its namespaces."""

    _settings: Settings

    async def _run(self, flow: Flow[T]) -> T:
        raise NotImplementedError

    def _iterate(self, items: Items[T]) -> AsyncIterator[T]:
        raise NotImplementedError


def _method(flow: Callable[Concatenate[Settings, P], Flow[T]]) -> Callable[Concatenate[_Runner, P], Awaitable[T]]:
    """Makes a method of a flow that returns one result."""

    @functools.wraps(flow)
    async def call(runner: _Runner, /, *args: P.args, **options: P.kwargs) -> T:
        return await runner._run(flow(runner._settings, *args, **options))

    present(call, flow)
    return call


def _listing(flow: Callable[Concatenate[Settings, P], Items[T]]) -> Callable[Concatenate[_Runner, P], AsyncIterator[T]]:
    """Makes a method of a flow that hands out items."""

    @functools.wraps(flow)
    def call(runner: _Runner, /, *args: P.args, **options: P.kwargs) -> AsyncIterator[T]:
        return runner._iterate(flow(runner._settings, *args, **options))

    present(call, flow, "AsyncIterator[{}]")
    return call


def _forecasting(
    flow: Callable[Concatenate[Settings, P], Flow[Result]]
) -> Callable[Concatenate[AsyncAlmanac, P], Awaitable[AsyncForecast]]:
    """Makes a method of a flow that returns a forecast, which can then use the client."""

    @functools.wraps(flow)
    async def call(client: AsyncAlmanac, /, *args: P.args, **options: P.kwargs) -> AsyncForecast:
        return AsyncForecast(client, await client._run(flow(client._settings, *args, **options)))

    present(call, flow, "AsyncForecast")
    return call


class _Namespace(_Runner):
    def __init__(self, client: AsyncAlmanac) -> None:
        self._client = client
        self._settings = client._settings

    async def _run(self, flow: Flow[T]) -> T:
        return await self._client._run(flow)

    def _iterate(self, items: Items[T]) -> AsyncIterator[T]:
        return self._client._iterate(items)


class AsyncEvents(_Namespace):
    """Questions with a probability."""

    list = _listing(events.list_events)
    read = _method(events.read_event)
    publish = _method(events.publish)
    revise = _method(events.revise)
    revisions = _listing(events.list_revisions)
    resolve = _method(events.resolve)
    resolution = _method(events.read_resolution)
    from_forecast = _method(events.create_from_forecast)
    scoreboard = _method(events.read_scoreboard)


class AsyncScreener(_Namespace):
    """Filters on daily bars."""

    fields = _method(screener.list_fields)
    preview = _method(screener.preview)
    list = _method(screener.list_filters)
    save = _method(screener.save)
    update = _method(screener.update)
    delete = _method(screener.delete)
    matches = _listing(screener.list_matches)
    sessions = _listing(screener.list_sessions)


class AsyncAlmanac(_Runner):
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

    forecast = _forecasting(operations.forecast)
    read_forecast = _forecasting(operations.read_forecast)
    _forecast_when_possible = _forecasting(operations.forecast_when_possible)
    estimate = _method(operations.estimate)
    forecasts = _listing(operations.list_forecasts)
    watch = _listing(operations.watch_forecast)
    cancel = _method(operations.cancel_forecast)
    delete = _method(operations.delete_forecast)
    history = _method(operations.history)
    search = _method(operations.search)
    describe = _method(operations.describe)
    observations = _method(operations.observations)
    usage = _method(operations.read_usage)

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
        returned = _Returned()
        async for _ in self._drive(flow, returned):
            pass
        result: T = returned.value
        return result

    def _iterate(self, items: Items[T]) -> AsyncIterator[T]:
        return self._drive(items, _Returned())

    async def _drive(self, flow: Generator[Any, Any, Any], returned: _Returned) -> AsyncIterator[Any]:
        # Two tasks must not become two guests, which cannot read each other's forecasts.
        async with self._guest_lock:
            if needs_guest(self._settings, self._guest):
                async for _ in _drive(operations.create_guest(self._settings), self._connect(), _Returned()):
                    pass
        try:
            async for item in _drive(flow, self._connect(), returned):
                yield item
        except UnauthenticatedError:
            # The session may have expired; the next call becomes another guest.
            self._guest.cookie = None
            raise

    def _connect(self) -> _Connection:
        return _Connection(self._http, self._settings, self._guest)


class AsyncForecast(Result):
    """A completed forecast, as `Forecast` is. What needs the service is awaited, also `await forecast.proof`."""

    def __init__(self, client: AsyncAlmanac, result: Result) -> None:
        super().__init__(result.raw, result._series)
        self._client = client

    @property
    def proof(self) -> Awaitable[Proof]:
        """The proof with its receipt, as it is now."""
        return self._client._run(operations.read_proof(self._client._settings, self.id))

    async def outcome(self) -> Outcome:
        """Reads the actual values that are recorded so far, and the scores."""
        return self._build_outcome(await self._client._run(operations.read_outcome(self._client._settings, self.id)))

    async def record_outcome(self, data: Any, *, time: str | None = None, value: str | None = None) -> Outcome:
        """Records actual values of a forecast of the caller's own rows, and returns the outcome."""
        flow = operations.record_outcome(self._client._settings, self.id, self._labels, data, time, value)
        return self._build_outcome(await self._client._run(flow))
