"""Runs flows with blocking calls."""

from __future__ import annotations

import functools
import time
from typing import Any, Callable, Concatenate, Generator, Iterator, ParamSpec, TypeVar

import httpx

from .flow import Close, Emit, Flow, Items, Open, Pause, Read, Reply, Request, Send, present
from .http import Guest, allow_silence, build_headers, explain, late, read_guest_cookie, to_reply
from .settings import Settings, check_key

P = ParamSpec("P")
T = TypeVar("T")


class Connection:
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


def drive(items: Generator[Any, Any, T], connection: Connection) -> Generator[Any, None, T]:
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


class Runner:
    """Runs flows for the methods of a client and of its namespaces."""

    _settings: Settings

    def _run(self, flow: Flow[T]) -> T:
        raise NotImplementedError

    def _iterate(self, items: Items[T]) -> Iterator[T]:
        raise NotImplementedError


def method(flow: Callable[Concatenate[Settings, P], Flow[T]]) -> Callable[Concatenate[Runner, P], T]:
    """Makes a method of a flow that returns one result."""

    @functools.wraps(flow)
    def call(runner: Runner, /, *args: P.args, **options: P.kwargs) -> T:
        return runner._run(flow(runner._settings, *args, **options))

    present(call, flow)
    return call


def listing(flow: Callable[Concatenate[Settings, P], Items[T]]) -> Callable[Concatenate[Runner, P], Iterator[T]]:
    """Makes a method of a flow that hands out items."""

    @functools.wraps(flow)
    def call(runner: Runner, /, *args: P.args, **options: P.kwargs) -> Iterator[T]:
        return runner._iterate(flow(runner._settings, *args, **options))

    present(call, flow, "Iterator[{}]")
    return call
