"""Frames out: columns of values beside labels, in the form of the frame that came in."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Mapping, Protocol, Sequence

from .labels import Labels, read_instant, to_wall_clock


class Shape(Protocol):
    """Builds frames that look like the one that a caller passed."""

    def build(self, labels: Labels, timestamps: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> Any:
        ...


@dataclass(frozen=True)
class PandasShape:
    """A pandas frame with the times in its index, or in the column `time`."""

    index: Any
    time: str | None = None

    def build(self, labels: Labels, timestamps: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> Any:
        import pandas as pd

        index = self._build_index(labels, [labels.to_label(timestamp) for timestamp in timestamps])
        if self.time is None:
            return pd.DataFrame(dict(columns), index=index)
        return pd.DataFrame({self.time: index, **columns})

    def _build_index(self, labels: Labels, times: Sequence[datetime]) -> Any:
        import pandas as pd

        given = self.index
        if isinstance(given, pd.PeriodIndex):
            wall_clock = [to_wall_clock(time, None) if time.tzinfo else time for time in times]
            return pd.DatetimeIndex(wall_clock).to_period(given.freqstr).rename(given.name)
        if labels.are_days:
            index = pd.DatetimeIndex(times)
            if labels.zone is not None:
                # A day whose midnight is missing begins later; one that has it twice begins with the first.
                first = [True] * len(index)
                index = index.tz_localize(given.tz, nonexistent="shift_forward", ambiguous=first)
        else:
            index = pd.DatetimeIndex(times)
            index = index.tz_localize("UTC") if index.tz is None else index.tz_convert("UTC")
            index = index.tz_localize(None) if labels.zone is None else index.tz_convert(given.tz)
        # Since pandas 2, indexes have a unit; before, all are in nanoseconds.
        if hasattr(given, "unit") and hasattr(index, "as_unit"):
            index = index.as_unit(given.unit)
        index = index.rename(given.name)
        if given.freq is not None:
            try:
                index.freq = given.freq
            except ValueError:
                # For example business days: the service also predicts weekends.
                pass
        return index


@dataclass(frozen=True)
class ForeignShape:
    """A frame of another library, such as polars: it is made from a dict of columns."""

    frame_class: type
    time: str

    def build(self, labels: Labels, timestamps: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> Any:
        times = [_to_datetime(labels, timestamp) for timestamp in timestamps]
        return self.make({self.time: times, **{name: list(column) for name, column in columns.items()}})

    def make(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        """Makes a frame of the library. That of pyarrow has a function for this; others have the constructor."""
        make = getattr(self.frame_class, "from_pydict", self.frame_class)
        return make(dict(columns))


@dataclass(frozen=True)
class PlainShape:
    """For series without a frame: a pandas frame, or a dict of columns if pandas is not installed."""

    def build(self, labels: Labels, timestamps: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> Any:
        if not has_pandas():
            times = [_to_datetime(labels, timestamp) for timestamp in timestamps]
            return {"timestamp": times, **{name: list(column) for name, column in columns.items()}}
        import pandas as pd

        like = pd.DatetimeIndex([], name="timestamp")
        return PandasShape(like if labels.zone is None else like.tz_localize(labels.zone)).build(
            labels, timestamps, columns
        )


def has_pandas() -> bool:
    return importlib.util.find_spec("pandas") is not None


def build_plain_table(name: str, keys: Sequence[Any], columns: Mapping[str, Sequence[Any]]) -> Any:
    """Builds a frame whose index has no times, or a dict of columns if pandas is not installed."""
    if not has_pandas():
        return {name: list(keys), **{column: list(values) for column, values in columns.items()}}
    import pandas as pd

    return pd.DataFrame(dict(columns), index=pd.Index(list(keys), name=name))


def _to_datetime(labels: Labels, timestamp: str) -> datetime:
    time = labels.to_label(timestamp)
    if not labels.are_days:
        return to_wall_clock(read_instant(timestamp), labels.zone)
    return time if labels.zone is None else time.replace(tzinfo=labels.zone)
