"""Runs flows with asynchronous calls."""

from __future__ import annotations

import asyncio
import functools
import inspect
import time
from typing import Any, AsyncGenerator, AsyncIterator, Awaitable, Callable, Concatenate, Generator, ParamSpec, TypeVar

import httpx

from .flow import Close, Emit, Flow, Items, Open, Pause, Read, Reply, Request, Send, present
from .http import Guest, allow_silence, build_headers, explain, late, read_guest_cookie, to_reply
from .settings import Settings, check_key

P = ParamSpec("P")
T = TypeVar("T")


class Connection:
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


class Returned:
    """The result of a flow, which an asynchronous generator cannot return."""

    value: Any = None


async def drive(
    items: Generator[Any, Any, Any], connection: Connection, returned: Returned
) -> AsyncGenerator[Any, None]:
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


class Runner:
    """Runs flows for the methods of a client and of its namespaces."""

    _settings: Settings

    async def _run(self, flow: Flow[T]) -> T:
        raise NotImplementedError

    def _iterate(self, items: Items[T]) -> AsyncIterator[T]:
        raise NotImplementedError


def method(flow: Callable[Concatenate[Settings, P], Flow[T]]) -> Callable[Concatenate[Runner, P], Awaitable[T]]:
    """Makes a method of a flow that returns one result."""

    @functools.wraps(flow)
    async def call(runner: Runner, /, *args: P.args, **options: P.kwargs) -> T:
        return await runner._run(flow(runner._settings, *args, **options))

    present(call, flow)
    return call


def listing(flow: Callable[Concatenate[Settings, P], Items[T]]) -> Callable[Concatenate[Runner, P], AsyncIterator[T]]:
    """Makes a method of a flow that hands out items."""

    @functools.wraps(flow)
    def call(runner: Runner, /, *args: P.args, **options: P.kwargs) -> AsyncIterator[T]:
        return runner._iterate(flow(runner._settings, *args, **options))

    present(call, flow, "AsyncIterator[{}]")
    return call
