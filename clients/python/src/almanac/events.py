"""Questions with a probability (Scout), as flows."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Mapping, Sequence

from .flow import Flow, Items, get, post, segment
from .labels import format_time
from .pages import read_pages
from .send import send
from .settings import Settings
from .types import Event, Revision

_PATH = "/v1/forecasts"


def list_events(
    settings: Settings,
    *,
    category: str | None = None,
    entity: str | None = None,
    model: str | None = None,
    author: str | None = None,
    workspace_id: str | None = None,
    status: str | None = None,
    source_forecast_id: str | None = None,
    deadline_from: str | datetime | None = None,
    deadline_to: str | datetime | None = None,
    sort: str | None = None,
) -> Items[Event]:
    """Yields the events that the caller may read. `author="me"` selects the caller's own."""
    query = {
        "category": category,
        "entity": entity,
        "model": model,
        "author": author,
        "workspace_id": workspace_id,
        "status": status,
        "source_forecast_id": source_forecast_id,
        "deadline_from": format_time(deadline_from),
        "deadline_to": format_time(deadline_to),
        "sort": sort,
    }
    yield from read_pages(settings, "listEvents", _PATH, query, "forecasts")


def read_event(settings: Settings, event_id: str) -> Flow[Event]:
    event: Event = yield from send(settings, get("readEvent", f"{_PATH}/{segment('event_id', event_id)}"))
    return event


def publish(
    settings: Settings,
    question: str,
    probability: float,
    *,
    deadline: str | datetime,
    category: str,
    entity: Mapping[str, str],
    headline: str,
    input_cutoff_at: str | datetime,
    slug: str | None = None,
    model: str | None = None,
    workspace_id: str | None = None,
    visibility: str | None = None,
    resolution_rule: Mapping[str, Any] | None = None,
) -> Flow[Event]:
    """Publishes an event. The request is sent once. With a `slug`, a repeated call does not publish it twice."""
    body = {
        "question": question,
        "probability": probability,
        "resolution_deadline": format_time(deadline),
        "category": category,
        "entity": dict(entity),
        "possible_future_headline": headline,
        "input_cutoff_at": format_time(input_cutoff_at),
        "slug": slug,
        "model": model,
        "workspace_id": workspace_id,
        "visibility": visibility,
        "resolution_rule": resolution_rule,
    }
    event: Event = yield from send(settings, post("createEvent", _PATH, body))
    return event


def revise(
    settings: Settings,
    event_id: str,
    probability: float,
    *,
    input_cutoff_at: str | datetime,
    headline: str | None = None,
    note: str | None = None,
) -> Flow[dict[str, Any]]:
    """Gives an open event another probability."""
    body = {
        "probability": probability,
        "input_cutoff_at": format_time(input_cutoff_at),
        "possible_future_headline": headline,
        "note": note,
    }
    path = f"{_PATH}/{segment('event_id', event_id)}/revisions"
    revised: dict[str, Any] = yield from send(settings, post("reviseEvent", path, body))
    return revised


def list_revisions(settings: Settings, event_id: str) -> Items[Revision]:
    """Yields the revisions of an event, newest first."""
    path = f"{_PATH}/{segment('event_id', event_id)}/revisions"
    yield from read_pages(settings, "listEventRevisions", path, {}, "revisions")


def resolve(
    settings: Settings,
    event_id: str,
    outcome: str,
    *,
    actual_outcome: str,
    resolution_source: str,
    outcome_known_at: str | datetime | None = None,
    evidence: Mapping[str, Any] | None = None,
) -> Flow[dict[str, Any]]:
    """Resolves or annuls an event."""
    body = {
        "outcome": outcome,
        "actual_outcome": actual_outcome,
        "resolution_source": resolution_source,
        "outcome_known_at": format_time(outcome_known_at),
        "evidence": evidence,
    }
    path = f"{_PATH}/{segment('event_id', event_id)}/resolve"
    resolution: dict[str, Any] = yield from send(settings, post("resolveEvent", path, body))
    return resolution


def read_resolution(settings: Settings, event_id: str) -> Flow[dict[str, Any]]:
    """Returns the resolution with its evidence and score. Raises a NotFoundError while the event is pending."""
    path = f"{_PATH}/{segment('event_id', event_id)}/resolution"
    resolution: dict[str, Any] = yield from send(settings, get("readEventResolution", path))
    return resolution


def create_from_forecast(
    settings: Settings,
    forecast_id: str,
    *,
    thresholds: Sequence[float] | None = None,
    changes_pct: Sequence[float] | None = None,
    steps: Sequence[int] | None = None,
    op: str | None = None,
    category: str | None = None,
    entity: Mapping[str, str] | None = None,
    workspace_id: str | None = None,
    visibility: str | None = None,
    preview: bool = False,
) -> Flow[dict[str, Any]]:
    """Creates questions from a forecast, such as whether a row will be above a threshold. `preview` stores nothing."""
    body = {
        "forecast_id": forecast_id,
        "thresholds": thresholds,
        "changes_pct": changes_pct,
        "steps": steps,
        "op": op,
        "category": category,
        "entity": None if entity is None else dict(entity),
        "workspace_id": workspace_id,
        "visibility": visibility,
    }
    if preview:
        request = post("previewEventsFromForecast", "/v1/scout/from-forecast/preview", body, can_repeat=True)
    else:
        request = post("createEventsFromForecast", "/v1/scout/from-forecast", body)
    created: dict[str, Any] = yield from send(settings, request)
    return created


def read_scoreboard(
    settings: Settings,
    *,
    category: str | None = None,
    entity: str | None = None,
    model: str | None = None,
    author: str | None = None,
    workspace_id: str | None = None,
    stamped: bool | None = None,
    group_by: str | None = None,
) -> Flow[dict[str, Any]]:
    """Returns the scores of resolved events."""
    query = {
        "category": category,
        "entity": entity,
        "model": model,
        "author": author,
        "workspace_id": workspace_id,
        "stamped": stamped,
        "group_by": group_by,
    }
    scoreboard: dict[str, Any] = yield from send(settings, get("readScoreboard", "/v1/scout/scoreboard", query))
    return scoreboard
