"""The client that blocks."""

from __future__ import annotations

import functools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Concatenate, Generator, Iterator, Mapping, ParamSpec, TypeVar

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

    def __init__(self, http: httpx.Client, settings: Settings, guest: Guest) -> None:
        self._http = http
        self._settings = settings
        self._guest = guest
        self._stream: httpx.Response | None = None
        self._chunks: Iterator[bytes] | None = None
        self._opened: Request | None = None

    def perform(self, effect: object) -> Any:
        if isinstance(effect, Send):
            return self._send(effect.request)
        if isinstance(effect, Open):
            return self._open(effect.request)
        if isinstance(effect, Read):
            return self._read()
        if isinstance(effect, Close):
            return self.close()
        assert isinstance(effect, Pause)
        return time.sleep(effect.seconds)

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._stream = self._chunks = None

    def _build(self, request: Request) -> httpx.Request:
        key = self._settings.key
        # A function is called for each attempt, so that it can return a fresh token.
        credential = check_key(key()) if callable(key) else key
        headers = build_headers(request, credential, self._guest)
        url = f"{self._settings.base_url}{request.path}"
        timeout = self._settings.timeout
        return self._http.build_request(request.method, url, headers=headers, content=request.body, timeout=timeout)

    def _send(self, request: Request) -> Reply:
        built = self._build(request)
        deadline = time.monotonic() + self._settings.timeout
        try:
            response = self._http.send(built, stream=True)
            try:
                body = bytearray()
                for chunk in response.iter_bytes():
                    body += chunk
                    if time.monotonic() > deadline:
                        raise late(request)
            finally:
                response.close()
        except httpx.HTTPError as error:
            raise explain(error, request, self._settings) from error
        read_guest_cookie(request, response, self._guest)
        return to_reply(response, bytes(body))

    def _open(self, request: Request) -> Reply:
        self.close()
        built = self._build(request)
        try:
            response = self._http.send(built, stream=True)
            self._stream, self._opened = response, request
            if response.status_code != 200:
                return to_reply(response, response.read())
        except httpx.HTTPError as error:
            raise explain(error, request, self._settings) from error
        allow_silence(response)
        self._chunks = response.iter_bytes()
        return to_reply(response, b"")

    def _read(self) -> bytes | None:
        if self._chunks is None or self._opened is None:
            return None
        try:
            return next(self._chunks, None)
        except httpx.HTTPError as error:
            raise explain(error, self._opened, self._settings) from error


def _drive(items: Generator[Any, Any, T], connection: _Connection) -> Generator[Any, None, T]:
    """Runs a flow. Yields the items that it hands out, and returns its result."""
    answer: Any = None
    failure: Exception | None = None
    try:
        while True:
            try:
                effect = items.send(answer) if failure is None else items.throw(failure)
            except StopIteration as stop:
                result: T = stop.value
                return result
            answer, failure = None, None
            if isinstance(effect, Emit):
                yield effect.value
                continue
            try:
                answer = connection.perform(effect)
            except Exception as error:
                failure = error
    finally:
        items.close()
        connection.close()


class _Runner:
    """Runs flows for the methods of a client and of its namespaces."""

    _settings: Settings

    def _run(self, flow: Flow[T]) -> T:
        raise NotImplementedError

    def _iterate(self, items: Items[T]) -> Iterator[T]:
        raise NotImplementedError


def _method(flow: Callable[Concatenate[Settings, P], Flow[T]]) -> Callable[Concatenate[_Runner, P], T]:
    """Makes a method of a flow that returns one result."""

    @functools.wraps(flow)
    def call(runner: _Runner, /, *args: P.args, **options: P.kwargs) -> T:
        return runner._run(flow(runner._settings, *args, **options))

    present(call, flow)
    return call


def _listing(flow: Callable[Concatenate[Settings, P], Items[T]]) -> Callable[Concatenate[_Runner, P], Iterator[T]]:
    """Makes a method of a flow that hands out items."""

    @functools.wraps(flow)
    def call(runner: _Runner, /, *args: P.args, **options: P.kwargs) -> Iterator[T]:
        return runner._iterate(flow(runner._settings, *args, **options))

    present(call, flow, "Iterator[{}]")
    return call


def _forecasting(flow: Callable[Concatenate[Settings, P], Flow[Result]]) -> Callable[Concatenate[Almanac, P], Forecast]:
    """Makes a method of a flow that returns a forecast, which can then use the client."""

    @functools.wraps(flow)
    def call(client: Almanac, /, *args: P.args, **options: P.kwargs) -> Forecast:
        return Forecast(client, client._run(flow(client._settings, *args, **options)))

    present(call, flow, "Forecast")
    return call


class _Namespace(_Runner):
    def __init__(self, client: Almanac) -> None:
        self._client = client
        self._settings = client._settings

    def _run(self, flow: Flow[T]) -> T:
        return self._client._run(flow)

    def _iterate(self, items: Items[T]) -> Iterator[T]:
        return self._client._iterate(items)


class Events(_Namespace):
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


class Screener(_Namespace):
    """Filters on daily bars."""

    fields = _method(screener.list_fields)
    preview = _method(screener.preview)
    list = _method(screener.list_filters)
    save = _method(screener.save)
    update = _method(screener.update)
    delete = _method(screener.delete)
    matches = _listing(screener.list_matches)
    sessions = _listing(screener.list_sessions)


class Almanac(_Runner):
    """A client of the API of Almanac.

    Args:
        url: the address of the service. Default: the variable ALMANAC_URL, or `http://127.0.0.1:8080`.
        key: an API key or an access token, or a function that returns one. Default: the variable ALMANAC_KEY. Without a key, the
            client becomes a guest of a service on this machine; elsewhere it can read only what anyone may read.
        timeout: the time limit of one attempt in seconds.
        max_retries: how often a request is sent again after a temporary failure.
        retry_delay: the pause before the first repetition in seconds, which doubles with each further one.
    """

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
        self._http = httpx.Client(trust_env=not self._settings.is_loopback, follow_redirects=False)
        self._guest = Guest()
        self._guest_lock = threading.Lock()

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
    def events(self) -> Events:
        return Events(self)

    @property
    def screener(self) -> Screener:
        return Screener(self)

    def forecast_many(
        self,
        /,
        data: Any,
        h: int,
        *,
        series: str | None = None,
        time: str | None = None,
        value: str | None = None,
        parallel: int = DEFAULT_PARALLEL,
        progress: ProgressOption = None,
        **options: Any,
    ) -> Batch[Forecast]:
        """Forecasts several series, a few at a time, and waits for slots that are taken.

        A series that fails does not end the others: its error is in `errors` of the result.

        Args:
            data: a mapping from names to series, a list of search results, a frame with a column for each series, or a long frame
                with a column of names.
            series: the column of names in a long frame.
            parallel: how many forecasts run at the same time.
            progress: True shows a bar, False none, and a function gets the progress. Default: a bar in a terminal.
            options: those of `forecast`, for all series.
        """
        items = split_series(data, series, time, value)
        reporter = ProgressReporter(len(items), progress)
        results: dict[str, Forecast] = {}
        errors: dict[str, Exception] = {}

        def run(name: str, rows: Any, columns: Mapping[str, Any]) -> None:
            try:
                results[name] = self._forecast_when_possible(rows, h, **columns, **options)
            except Exception as error:
                if not is_expected(error):
                    raise
                errors[name] = error
            with lock:
                reporter.count(failed=name in errors)

        lock = threading.Lock()
        executor = ThreadPoolExecutor(max_workers=max(1, parallel))
        try:
            for future in [executor.submit(run, name, *item) for name, item in items.items()]:
                future.result()
        finally:
            executor.shutdown(cancel_futures=True)
            reporter.finish()
        return Batch(list(items), results, errors)

    def with_options(
        self, *, timeout: float | None = None, max_retries: int | None = None, retry_delay: float | None = None
    ) -> Almanac:
        """Returns a client with other limits, which shares the connections and the guest session of this one."""
        other = object.__new__(Almanac)
        other.__dict__.update(self.__dict__)
        other._settings = change_limits(self._settings, timeout, max_retries, retry_delay)
        return other

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Almanac:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Almanac({self._settings.base_url.removesuffix('/api')!r})"

    def _run(self, flow: Flow[T]) -> T:
        driven = self._drive(flow)
        while True:
            try:
                next(driven)
            except StopIteration as stop:
                result: T = stop.value
                return result

    def _iterate(self, items: Items[T]) -> Iterator[T]:
        yield from self._drive(items)

    def _drive(self, flow: Generator[Any, Any, T]) -> Generator[Any, None, T]:
        # Two threads must not become two guests, which cannot read each other's forecasts.
        with self._guest_lock:
            if needs_guest(self._settings, self._guest):
                for _ in _drive(operations.create_guest(self._settings), self._connect()):
                    pass
        try:
            return (yield from _drive(flow, self._connect()))
        except UnauthenticatedError:
            # The session may have expired; the next call becomes another guest.
            self._guest.cookie = None
            raise

    def _connect(self) -> _Connection:
        return _Connection(self._http, self._settings, self._guest)


class Forecast(Result):
    """A completed forecast: a frame with a column for each quantile, and what explains it."""

    def __init__(self, client: Almanac, result: Result) -> None:
        super().__init__(result.raw, result._series)
        self._client = client

    @property
    def proof(self) -> Proof:
        """The proof with its receipt, as it is now."""
        return self._client._run(operations.read_proof(self._client._settings, self.id))

    def outcome(self) -> Outcome:
        """Reads the actual values that are recorded so far, and the scores."""
        return self._build_outcome(self._client._run(operations.read_outcome(self._client._settings, self.id)))

    def record_outcome(self, data: Any, *, time: str | None = None, value: str | None = None) -> Outcome:
        """Records actual values of a forecast of the caller's own rows, and returns the outcome."""
        flow = operations.record_outcome(self._client._settings, self.id, self._labels, data, time, value)
        return self._build_outcome(self._client._run(flow))
