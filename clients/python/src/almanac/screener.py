"""Filters on daily bars, as flows."""

from __future__ import annotations

from datetime import date
from typing import Any, Mapping, Sequence

from .flow import Flow, Items, get, post, segment
from .pages import read_pages
from .send import send
from .settings import Settings
from .types import Filter, Match

_PATH = "/v1/me/screener-alerts"

#: Such as `{"field": "close", "op": "gt", "other_field": "sma_200"}`.
Condition = Mapping[str, Any]


def list_fields(settings: Settings) -> Flow[list[dict[str, Any]]]:
    """Returns the fields of conditions with the distribution of their values."""
    fields: list[dict[str, Any]] = (yield from send(settings, get("listScreenerFields", "/v1/screener/fields")))[
        "fields"
    ]
    return fields


def preview(
    settings: Settings,
    universe: str | Sequence[str],
    *,
    all: Sequence[Condition] | None = None,
    any: Sequence[Condition] | None = None,
) -> Flow[dict[str, Any]]:
    """Returns the matches of a filter in the latest session, without saving it."""
    body = _build_body(None, universe, all, any, None)
    found: dict[str, Any] = yield from send(
        settings, post("previewScreenerAlert", f"{_PATH}/preview", body, can_repeat=True)
    )
    return found


def list_filters(settings: Settings) -> Flow[list[Filter]]:
    """Returns the caller's filters, oldest first."""
    filters: list[Filter] = (yield from send(settings, get("listScreenerAlerts", _PATH)))["alerts"]
    return filters


def save(
    settings: Settings,
    name: str,
    universe: str | Sequence[str],
    *,
    all: Sequence[Condition] | None = None,
    any: Sequence[Condition] | None = None,
    email: bool = False,
) -> Flow[Filter]:
    """Saves a filter. A symbol must meet all conditions in `all`, or at least one in `any`."""
    saved: Filter = yield from send(
        settings, post("createScreenerAlert", _PATH, _build_body(name, universe, all, any, email))
    )
    return saved


def update(
    settings: Settings,
    filter_id: str,
    *,
    name: str | None = None,
    universe: str | Sequence[str] | None = None,
    all: Sequence[Condition] | None = None,
    any: Sequence[Condition] | None = None,
    email: bool | None = None,
) -> Flow[Filter]:
    """Changes the given fields of a filter."""
    path = f"{_PATH}/{segment('filter_id', filter_id)}"
    body = _build_body(name, universe, all, any, email)
    changed: Filter = yield from send(settings, post("updateScreenerAlert", path, body, method="PATCH"))
    return changed


def delete(settings: Settings, filter_id: str) -> Flow[None]:
    """Removes a filter and its results."""
    path = f"{_PATH}/{segment('filter_id', filter_id)}"
    yield from send(settings, post("deleteScreenerAlert", path, method="DELETE", can_repeat=True))


def list_matches(
    settings: Settings, filter_id: str, *, session: str | date | None = None, new: bool | None = None
) -> Items[Match]:
    """Yields the matches of a filter in a session, by default in the latest evaluated one."""
    path = f"{_PATH}/{segment('filter_id', filter_id)}/matches"
    query = {"session": session, "new": True if new else None}
    yield from read_pages(settings, "listScreenerMatches", path, query, "matches")


def list_sessions(settings: Settings, filter_id: str) -> Items[dict[str, Any]]:
    """Yields the sessions for which a filter was evaluated, newest first."""
    path = f"{_PATH}/{segment('filter_id', filter_id)}/sessions"
    yield from read_pages(settings, "listScreenerSessions", path, {}, "sessions")


def _build_body(
    name: str | None,
    universe: str | Sequence[str] | None,
    all_: Sequence[Condition] | None,
    any_: Sequence[Condition] | None,
    email: bool | None,
) -> dict[str, object]:
    return {"name": name, "universe": universe, "all": all_, "any": any_, "email": email}
