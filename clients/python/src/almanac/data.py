"""Series and instruments of the service, as flows."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Sequence

from .errors import ArgumentError
from .flow import Flow, post
from .frames import is_source
from .labels import format_time
from .rows import Rows
from .send import send
from .settings import Settings
from .types import SearchResult, Source

#: The service has pages of these sizes.
_PAGE_SIZES = (500, 1000, 1500, 2000, 50_000)


def history(
    settings: Settings,
    symbol: str,
    timeframe: str = "1D",
    *,
    limit: int | None = 500,
    start: str | date | datetime | None = None,
    end: str | date | datetime | None = None,
    source: str | None = None,
    adjustment: str | None = None,
    session: str | None = None,
    price_side: str | None = None,
    snapshot_id: str | None = None,
) -> Flow[Rows]:
    """Returns the latest bars of an instrument, oldest first. `limit=None` reads all of them, page after page."""
    if limit is not None and limit < 1:
        raise ArgumentError("limit: must be at least 1, or None for all bars.")
    page_size = next((size for size in _PAGE_SIZES if limit is not None and size >= limit), _PAGE_SIZES[-1])
    body: dict[str, Any] = {
        "symbol": symbol,
        "timeframe": timeframe,
        "limit": page_size,
        "start": format_time(start),
        "end": format_time(end),
        "source": source,
        "adjustment": adjustment,
        "session": session,
        "price_side": price_side,
        "snapshot_id": snapshot_id,
    }
    bars: list[dict[str, Any]] = []
    info: dict[str, Any] = {}
    seen: set[str] = set()
    while True:
        request = post("readStockHistory", "/market-data/stocks/history", body, can_repeat=True, envelope="ok")
        page = yield from send(settings, request)
        bars = page.pop("rows") + bars
        info = info or page
        cursor = page.get("next_cursor")
        # A history that returns to an earlier page would never end.
        if cursor is None or cursor in seen or (limit is not None and len(bars) >= limit):
            break
        seen.add(cursor)
        body["cursor"] = cursor
    if limit is not None:
        bars = bars[-limit:]
    # Whether there are older bars depends on the last page that was read.
    info.update(count=len(bars), truncated=bool(page.get("truncated")) or (limit is not None and cursor is not None))
    return Rows(bars, info, ["open", "high", "low", "close", "volume"])


def search(
    settings: Settings, query: str, *, types: Sequence[str] | None = None, local: bool | None = None, limit: int = 20
) -> Flow[list[SearchResult]]:
    """Returns up to `limit` series and instruments. Their `source` can be forecast, described and read."""
    found: list[SearchResult] = []
    cursor = None
    while len(found) < limit:
        body = {"query": query, "types": types, "local": local, "limit": min(limit - len(found), 50), "cursor": cursor}
        request = post("searchSeries", "/v1/market-search", body, can_repeat=True, envelope="ok")
        page = yield from send(settings, request)
        found += page["results"]
        following = page.get("next_cursor")
        if following is None or following == cursor or not page["results"]:
            break
        cursor = following
    return found


def describe(settings: Settings, source: Source) -> Flow[dict[str, Any]]:
    """Describes a series: its values, dimensions, units, span, vintages and license."""
    request = post("describeSeries", "/v1/market-search/describe", {"source": source}, can_repeat=True, envelope="ok")
    description: dict[str, Any] = yield from send(settings, request)
    return description


def observations(
    settings: Settings,
    source: Source,
    *,
    vintage: str | date | None = None,
    limit: int | None = None,
    cutoff: str | date | datetime | None = None,
    snapshot_id: str | None = None,
) -> Flow[Rows]:
    """Returns the rows of a series. `vintage` is a date: the rows as they stood at its end, before later revisions."""
    if not is_source(source):
        raise ArgumentError("source: is not a source. Pass the source of a search result.")
    if vintage is not None:
        source = {**source, "vintage": vintage if isinstance(vintage, str) else vintage.isoformat()[:10]}
    body = {"source": source, "limit": limit, "cutoff": format_time(cutoff), "snapshot_id": snapshot_id}
    request = post("readObservations", "/v1/market-search/observations", body, can_repeat=True, envelope="ok")
    info = yield from send(settings, request)
    rows = info.pop("rows")
    return Rows(rows, info, [name for name in rows[0] if name != "timestamp"] if rows else ["value"])
