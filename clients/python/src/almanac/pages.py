"""Lists that come in pages."""

from __future__ import annotations

from typing import Any, Mapping

from .flow import Emit, Items, get
from .send import send
from .settings import Settings


def read_pages(settings: Settings, operation: str, path: str, query: Mapping[str, object], items: str) -> Items[Any]:
    """Yields the items of a list. A page is requested only when the one before it was used."""
    cursor: str | None = None
    seen: set[str] = set()
    while True:
        page = yield from send(settings, get(operation, path, {**query, "cursor": cursor}))
        for item in page[items]:
            yield Emit(item)
        cursor = page.get("next_cursor")
        # A list that returns to an earlier page would never end.
        if cursor is None or cursor in seen:
            return
        seen.add(cursor)
