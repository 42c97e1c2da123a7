"""The events of a forecast as they happen, across connections that break."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Callable, Mapping

from .errors import AlmanacError, ConnectionError, UnexpectedReplyError
from .event_stream import EventParser, Frame
from .flow import Close, Emit, Items, Open, Pause, Read, Reply, get, segment
from .retry import choose_delay, is_temporary
from .send import read_error
from .settings import Settings

_KINDS = ("queued", "progress", "completed", "failed")


@dataclass(frozen=True)
class ForecastEvent:
    """An event of a forecast."""

    #: The number of the event, from 1.
    id: str
    #: `queued`, `progress`, `completed` or `failed`. The last two are last.
    kind: str
    #: The status, the progress, and the error of a forecast that failed.
    data: Mapping[str, Any]


def watch(
    settings: Settings,
    forecast_id: str,
    *,
    last_event_id: str | None = None,
    on_event: Callable[[ForecastEvent], object] | None = None,
) -> Items[ForecastEvent]:
    """Yields the events of a forecast until its last one.

    A connection that ends early is opened again and continues after the last event, so that each event comes once.
    The number of retries counts connections in a row that brought no event. With `on_event`, events are passed to it
    instead.
    """
    request = get("watchForecast", f"/v1/ensemble-forecasts/{segment('forecast_id', forecast_id)}/events")
    last = last_event_id
    failures = 0
    while True:
        headers = {"accept": "text/event-stream"}
        if last is not None:
            headers["last-event-id"] = last
        try:
            reply: Reply = yield Open(replace(request, headers=headers))
            if reply.status == 204:
                return
            if reply.status != 200:
                raise read_error(request, reply)
            if not reply.headers.get("content-type", "").lower().startswith("text/event-stream"):
                raise UnexpectedReplyError(
                    "The reply is not a stream of events. Check what stands between the client and the service.",
                    operation=request.operation,
                    status=reply.status,
                )
            parser = EventParser()
            has_ended = False
            while not has_ended:
                chunk: bytes | None = yield Read()
                if chunk is None:
                    break
                for frame in parser.feed(chunk):
                    # The service ends a stream that it cannot continue with an event `error`, which has no id.
                    if frame.event == "error":
                        has_ended = True
                        break
                    event = _to_event(frame)
                    # A proxy can repeat what it has sent before.
                    if event is None or (last is not None and int(event.id) <= int(last)):
                        continue
                    last, failures = event.id, 0
                    if on_event is None:
                        yield Emit(event)
                    else:
                        on_event(event)
                    if event.kind in ("completed", "failed"):
                        return
            raise ConnectionError("The stream ended before the forecast did.", operation=request.operation)
        except AlmanacError as error:
            failures += 1
            error.attempts = failures
            delay = choose_delay(failures, settings.retry_delay, error.retry_after)
            if failures > settings.max_retries or not is_temporary(error) or delay is None:
                raise
        yield Close()
        yield Pause(delay)


def _to_event(frame: Frame) -> ForecastEvent | None:
    """Returns None for events of a newer service, which this client does not have."""
    if frame.id is None or not frame.id.isdigit() or frame.event not in _KINDS:
        return None
    try:
        return ForecastEvent(frame.id, frame.event, json.loads(frame.data))
    except ValueError:
        return None
