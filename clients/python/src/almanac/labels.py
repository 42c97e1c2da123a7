"""Between the labels of a caller's rows and the timestamps of the service.

The service has instants, and dates at 00:00 UTC for days and longer periods. A caller has wall-clock times with or
without a zone, weeks that are dated on any day, and quarters and years that are dated by their first day. `Labels`
translates both ways, so that predictions continue the caller's rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from typing import Sequence

_DAY = timedelta(days=1)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True)
class Labels:
    """How the rows of a series are labeled."""

    #: The zone of the labels; None for labels without one.
    zone: tzinfo | None
    #: Whether the labels are days, so that only their dates are sent.
    are_days: bool = False
    #: The weekday of weeks (0 is Monday).
    weekday: int = 0
    #: `quarter` or `year` if their first day is the label, which the service dates by the last.
    starts_of: str | None = None

    def to_service(self, label: datetime) -> str:
        """Returns the timestamp to send for a label."""
        if not self.are_days:
            instant = label if label.tzinfo is not None else label.replace(tzinfo=timezone.utc)
            return instant.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        day = label.date()
        if self.starts_of is not None:
            return _last_day(self.starts_of, day).isoformat()
        return (day - self.weekday * _DAY).isoformat()

    def to_label(self, timestamp: str) -> datetime:
        """Returns the label for a timestamp of the service: an instant, or a date without a zone if the labels are days."""
        instant = read_instant(timestamp)
        if not self.are_days:
            return instant
        day = instant.date()
        if self.starts_of is not None:
            day = _first_day(self.starts_of, day)
        return datetime.combine(day + self.weekday * _DAY, time())

    def describe(self) -> str | None:
        """Returns a sentence about labels that differ from the timestamps of the service."""
        if self.starts_of is not None:
            return f"index: it has the first day of each {self.starts_of}; the service has the last day."
        if self.weekday != 0:
            return f"index: it has weeks on {_WEEKDAYS[self.weekday]}; the service dates them by their Monday."
        return None


def find_labels(labels: Sequence[datetime]) -> Labels:
    """Finds out how rows are labeled. Their order does not matter."""
    zone = labels[0].tzinfo if labels else None
    if not labels or not all(_begins_day(label) for label in labels):
        return Labels(zone)
    days = sorted({label.date() for label in labels})
    gaps = [(later - earlier).days for earlier, later in zip(days, days[1:])]
    if gaps and min(gaps) == 7 and all(gap % 7 == 0 for gap in gaps):
        return Labels(zone, True, weekday=days[0].weekday())
    if gaps and all(day.day == 1 for day in days):
        if all(day.month == 1 for day in days) and min(gaps) in (365, 366):
            return Labels(zone, True, starts_of="year")
        if all(day.month in (1, 4, 7, 10) for day in days) and 90 <= min(gaps) <= 92:
            return Labels(zone, True, starts_of="quarter")
    return Labels(zone, True)


def read_instant(timestamp: str) -> datetime:
    """Reads a timestamp of the service."""
    return datetime.fromisoformat(timestamp.replace("Z", "+00:00"))


def format_time(time: str | date | datetime | None) -> str | None:
    """Formats a time for the service. One without a zone is in UTC."""
    if isinstance(time, datetime):
        return Labels(None).to_service(time)
    return f"{time.isoformat()}T00:00:00Z" if isinstance(time, date) else time


def to_wall_clock(instant: datetime, zone: tzinfo | None) -> datetime:
    """Returns an instant as labels with this zone show it. Labels without a zone are in UTC."""
    if zone is None:
        return instant.astimezone(timezone.utc).replace(tzinfo=None)
    return instant.astimezone(zone)


def _begins_day(label: datetime) -> bool:
    """Returns whether a label is the first instant of its day, which is not always midnight when clocks are changed."""
    if label.time() == time():
        return True
    if label.tzinfo is None:
        return False
    before = label.astimezone(timezone.utc) - timedelta(microseconds=1)
    return before.astimezone(label.tzinfo).date() < label.date()


def _first_day(period: str, day: date) -> date:
    return date(day.year, 1 if period == "year" else (day.month - 1) // 3 * 3 + 1, 1)


def _last_day(period: str, day: date) -> date:
    if period == "year":
        return date(day.year, 12, 31)
    month = (day.month - 1) // 3 * 3 + 3
    return (date(day.year + 1, 1, 1) if month == 12 else date(day.year, month + 1, 1)) - _DAY
