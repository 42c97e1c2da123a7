from __future__ import annotations

import pytest

import almanac
from almanac import Almanac, AsyncAlmanac
from almanac.event_stream import EventParser
from conftest import Script, drop, fail, stream


def event(number: int, kind: str) -> str:
    return f'id: {number}\nevent: {kind}\ndata: {{"status":"{kind}"}}\n\n'


def test_a_stream_that_breaks_continues_after_the_last_event(script: Script) -> None:
    script.handlers = [
        stream("retry: 2000\n\n", event(1, "queued"), "id: 2\nevent: progr"),
        drop,
        # A proxy repeats an event, and a newer service has a kind that this client does not have.
        stream(event(1, "queued"), "id: 2\nevent: moved\ndata: {}\n\n", ": still here\n\n", event(3, "progress")),
        stream(event(4, "completed")),
    ]
    client = Almanac(script.url, "key", retry_delay=0.001)
    assert [(item.id, item.kind) for item in client.watch("ef_1")] == [
        ("1", "queued"),
        ("3", "progress"),
        ("4", "completed"),
    ]
    assert [request.headers.get("last-event-id") for request in script.received] == [None, "1", "1", "3"]


async def test_the_asynchronous_client_does_the_same(script: Script) -> None:
    script.handlers = [stream(event(1, "queued"), "id: 2"), fail(503, "BUSY"), stream(event(2, "failed"))]
    async with AsyncAlmanac(script.url, "key", retry_delay=0.001) as client:
        assert [item.kind async for item in client.watch("ef_1")] == ["queued", "failed"]
    assert [request.headers.get("last-event-id") for request in script.received] == [None, "1", "1"]


def test_gives_up_if_connections_in_a_row_bring_no_event(script: Script) -> None:
    script.handlers = [stream(event(1, "queued")), stream("")]
    received = []
    with pytest.raises(almanac.ConnectionError) as caught:
        for item in Almanac(script.url, "key", retry_delay=0.001, max_retries=2).watch("ef_1"):
            received.append(item.kind)
    assert received == ["queued"]
    assert caught.value.attempts == 3


def test_an_error_of_the_stream_opens_it_again(script: Script) -> None:
    script.handlers = [stream("event: error\ndata: {}\n\n"), stream(event(1, "completed"))]
    assert [item.kind for item in Almanac(script.url, "key", retry_delay=0).watch("ef_1")] == ["completed"]


def test_the_parser_takes_pieces_of_any_size() -> None:
    text = "id: 7\r\nevent: progress\r\ndata: ä\r\ndata:b\r\n\r\n: comment\n\ndata: c\n\n".encode()
    for size in (1, 2, 3, len(text)):
        parser = EventParser()
        frames = [frame for i in range(0, len(text), size) for frame in parser.feed(text[i : i + size])]
        assert [(frame.id, frame.event, frame.data) for frame in frames] == [
            ("7", "progress", "ä\nb"),
            (None, "message", "c"),
        ]
