"""The client that blocks."""

from __future__ import annotations

import functools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Concatenate, Generator, Iterator, Mapping, ParamSpec, TypeVar

import httpx

from . import account, data, events, forecasting, screener
from .batch import DEFAULT_PARALLEL, Batch, is_expected, split_series
from .blocking import Connection, Runner, drive, listing, method
from .errors import UnauthenticatedError
from .flow import Flow, Items, present
from .http import Guest, needs_guest
from .progress import ProgressOption, ProgressReporter
from .result import Outcome, Proof, Result
from .settings import Key, Settings, change_limits, read_settings

P = ParamSpec("P")
T = TypeVar("T")


def _forecasting(flow: Callable[Concatenate[Settings, P], Flow[Result]]) -> Callable[Concatenate[Almanac, P], Forecast]:
    """Makes a method of a flow that returns a forecast, which can then use the client."""

    @functools.wraps(flow)
    def call(client: Almanac, /, *args: P.args, **options: P.kwargs) -> Forecast:
        return Forecast(client, client._run(flow(client._settings, *args, **options)))

    present(call, flow, "Forecast")
    return call


class _Namespace(Runner):
    def __init__(self, client: Almanac) -> None:
        self._client = client
        self._settings = client._settings

    def _run(self, flow: Flow[T]) -> T:
        return self._client._run(flow)

    def _iterate(self, items: Items[T]) -> Iterator[T]:
        return self._client._iterate(items)


class Events(_Namespace):
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


class Screener(_Namespace):
    """Filters on daily bars."""

    fields = method(screener.list_fields)
    preview = method(screener.preview)
    list = method(screener.list_filters)
    save = method(screener.save)
    update = method(screener.update)
    delete = method(screener.delete)
    matches = listing(screener.list_matches)
    sessions = listing(screener.list_sessions)


class Almanac(Runner):
    """A client of the API of Almanac.

    Args:
        url: the address of the service. Default: the variable ALMANAC_URL, or `http://127.0.0.1:8080`.
        key: an API key or an access token, or a function that returns one. Default: the variable ALMANAC_KEY. Without
            a key, the client becomes a guest of a service on this machine; elsewhere it can read only what anyone may
            read.
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
            data: a mapping from names to series, a list of search results, a frame with a column for each series, or
                a long frame with a column of names.
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
                for _ in drive(account.create_guest(self._settings), self._connect()):
                    pass
        try:
            return (yield from drive(flow, self._connect()))
        except UnauthenticatedError:
            # The session may have expired; the next call becomes another guest.
            self._guest.cookie = None
            raise

    def _connect(self) -> Connection:
        return Connection(self._http, self._settings, self._guest)


class Forecast(Result):
    """A completed forecast: a frame with a column for each quantile, and what explains it."""

    def __init__(self, client: Almanac, result: Result) -> None:
        super().__init__(result.raw, result._series)
        self._client = client

    @property
    def proof(self) -> Proof:
        """The proof with its receipt, as it is now."""
        return self._client._run(forecasting.read_proof(self._client._settings, self.id))

    def outcome(self) -> Outcome:
        """Reads the actual values that are recorded so far, and the scores."""
        return self._build_outcome(self._client._run(forecasting.read_outcome(self._client._settings, self.id)))

    def record_outcome(self, data: Any, *, time: str | None = None, value: str | None = None) -> Outcome:
        """Records actual values of a forecast of the caller's own rows, and returns the outcome."""
        flow = forecasting.record_outcome(self._client._settings, self.id, self._labels, data, time, value)
        return self._build_outcome(self._client._run(flow))
