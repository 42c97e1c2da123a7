"""Rows of data that the service returned: bars, or observations of a series."""

from __future__ import annotations

from datetime import timezone
from typing import Any, Mapping, Sequence

from .framed import Framed
from .labels import Labels
from .tables import PlainShape


class Rows(Framed):
    """Rows with their times in UTC, and what the service states about them."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], info: Mapping[str, Any], columns: Sequence[str]) -> None:
        #: Such as the provider, the frequency and the `snapshot_id`, with which the same rows are read again.
        self.info = dict(info)
        values = {column: [row.get(column) for row in rows] for column in columns}
        self.frame = PlainShape().build(Labels(timezone.utc), [row["timestamp"] for row in rows], values)

    def __repr__(self) -> str:
        return f"{len(self)} rows of {self.info.get('symbol') or self.info.get('provider')}\n{self.frame!r}"
