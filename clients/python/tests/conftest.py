"""A scripted server, series, and the running service that `test/python/run.ts` names."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator, Mapping

import pytest

Handler = Callable[["Received", BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Script:
    """Replies to requests in order, and keeps them. The last handler also replies to all further ones."""

    url: str = ""
    handlers: list[Handler] = field(default_factory=list)
    received: list[Received] = field(default_factory=list)


def reply(status: int, body: object, headers: Mapping[str, str] | None = None) -> Handler:
    """Returns a handler that sends JSON."""
    content = json.dumps(body).encode()

    def handle(_: Received, connection: BaseHTTPRequestHandler) -> None:
        connection.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            connection.send_header(name, value)
        connection.send_header("content-length", str(len(content)))
        connection.end_headers()
        connection.wfile.write(content)

    return handle


def fail(status: int, code: str, headers: Mapping[str, str] | None = None) -> Handler:
    return reply(status, {"error": {"code": code, "message": f"It is {code}.", "request_id": "req-1"}}, headers)


def stream(*pieces: str) -> Handler:
    """Returns a handler that sends pieces of an event stream and closes the connection."""

    def handle(_: Received, connection: BaseHTTPRequestHandler) -> None:
        connection.send_response(200)
        connection.send_header("content-type", "text/event-stream")
        connection.send_header("connection", "close")
        connection.end_headers()
        for piece in pieces:
            connection.wfile.write(piece.encode())
            connection.wfile.flush()
        connection.close_connection = True

    return handle


def drop(_: Received, connection: BaseHTTPRequestHandler) -> None:
    """Breaks the connection."""
    connection.close_connection = True
    connection.connection.close()


@pytest.fixture
def script() -> Iterator[Script]:
    made = Script()
    lock = threading.Lock()

    class Scripted(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.command, self.path, headers, body)
            with lock:
                handler = made.handlers[min(len(made.received), len(made.handlers) - 1)]
                made.received.append(received)
            handler(received, self)

        do_GET = do_POST = do_DELETE = do_PATCH = _handle

        def handle(self) -> None:
            # A client that gives up breaks the connection, which is what some tests are about.
            try:
                super().handle()
            except (OSError, ValueError):
                pass

        def finish(self) -> None:
            try:
                super().finish()
            except (OSError, ValueError):
                pass

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield made
    server.shutdown()
    server.server_close()


@dataclass(frozen=True)
class Running:
    url: str
    key: str
    #: The same service behind a proxy that disturbs a share of the requests.
    proxy: str


@pytest.fixture(scope="session")
def service() -> Running:
    names = ("ALMANAC_TEST_URL", "ALMANAC_TEST_KEY", "ALMANAC_TEST_PROXY")
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        pytest.skip(f"{', '.join(missing)} not set; npm run test:python starts a service")
    return Running(*(os.environ[name] for name in names))
