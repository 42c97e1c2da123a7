"""Frames in: finds the times and the values of a series in what a caller passes."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from datetime import date, datetime, time as clock
from typing import Any, Mapping, Sequence

from . import interchange
from .errors import ArgumentError
from .labels import Labels, find_labels
from .tables import ForeignShape, PandasShape, PlainShape, Shape


@dataclass(frozen=True)
class Series:
    """The rows of a series as they are sent, and how its frames look."""

    #: The times as the caller has them.
    moments: list[datetime]
    timestamps: list[str]
    values: list[float]
    labels: Labels
    shape: Shape
    name: str | None = None
    notes: list[str] = field(default_factory=list)

    def to_source(self) -> dict[str, Any]:
        return {"type": "inline", "timestamps": self.timestamps, "values": self.values}


@dataclass(frozen=True)
class OneOfMany:
    """One of several series of a frame, which is read when it is its turn, so that an error is its own."""

    moments: list[Any]
    values: list[Any]
    shape: Shape
    name: str


def read_series(data: Any, time: str | None = None, value: str | None = None) -> Series:
    """Reads a series of pandas, a frame of any library, or a list of pairs of a time and a value."""
    if isinstance(data, OneOfMany):
        return _build(data.moments, data.values, data.shape, data.name)
    pd = sys.modules.get("pandas")
    if pd is not None and isinstance(data, pd.Series):
        _refuse_column("time", time, "a series")
        _refuse_column("value", value, "a series")
        return _read_pandas(data.index, data, None, data.name)
    if pd is not None and isinstance(data, pd.DataFrame):
        return _read_pandas_frame(pd, data, time, value)
    if hasattr(data, "__dataframe__"):
        return _read_foreign_frame(data, time, value)
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _read_pairs(data)
    raise ArgumentError(
        "data: is not a series. Pass a series or frame of pandas, a frame of another library with the dataframe "
        "protocol, a list of (time, value), or the source of a search result."
    )


def _read_pandas_frame(pd: Any, data: Any, time: str | None, value: str | None) -> Series:
    duplicated = data.columns[data.columns.duplicated()]
    if len(duplicated) > 0:
        raise ArgumentError(f"data: there are two columns {duplicated[0]}. Rename one.")
    types = pd.api.types
    times = [name for name in data.columns if types.is_datetime64_any_dtype(data[name])]
    numbers = [
        name for name in data.columns if types.is_numeric_dtype(data[name]) and not types.is_bool_dtype(data[name])
    ]
    if time is None and not isinstance(data.index, (pd.DatetimeIndex, pd.PeriodIndex)):
        time = choose("time", times, "its index has no times and it", "datetime")
    time = None if time is None else find_column("time", time, data.columns)
    column = find_column("value", value, data.columns) if value is not None else None
    column = choose("value", [name for name in numbers if name != time], "it", "numeric") if column is None else column
    if time is None:
        return _read_pandas(data.index, data[column], None, column)
    index = data[time]
    if types.is_datetime64_any_dtype(index):
        index = pd.DatetimeIndex(index)
    return _read_pandas(index, data[column], time, column)


def _read_pandas(index: Any, values: Any, time: str | None, name: Any) -> Series:
    """Reads an index, or a column of times, and the values beside it."""
    import pandas as pd

    if isinstance(index, pd.PeriodIndex):
        moments = list(index.to_timestamp(how="start").to_pydatetime())
        given: Any = index
    elif isinstance(index, pd.DatetimeIndex):
        moments = list(index.to_pydatetime())
        given = index
    elif isinstance(index, pd.Series) or index.dtype == object or pd.api.types.is_string_dtype(index.dtype):
        moments = [to_moment(moment, row) for row, moment in enumerate(index, 1)]
        given = pd.DatetimeIndex([], tz=moments[0].tzinfo if moments else None)
        if time is None:
            given = given.rename(index.name)
    else:
        raise ArgumentError(
            "data: its index has no times. Use a DatetimeIndex or a PeriodIndex, or pass a frame and time."
        )
    floats = [None if pd.isna(number) else number for number in values]
    return _build(moments, floats, PandasShape(given, time), None if name is None else str(name))


def _read_foreign_frame(data: Any, time: str | None, value: str | None) -> Series:
    columns = interchange.Columns(data)
    time = find_foreign_time(columns, time)
    if value is not None:
        value = str(find_column("value", value, columns.names))
    else:
        value = str(
            choose("value", [name for name in columns.find(*interchange.NUMERIC) if name != time], "it", "numeric")
        )
    moments = [to_moment(moment, row) for row, moment in enumerate(columns.read(time), 1)]
    return _build(moments, columns.read(value), ForeignShape(type(data), time), value)


def find_foreign_time(columns: interchange.Columns, time: str | None) -> str:
    """Returns the column of times that was named, or the only one."""
    if time is not None:
        return str(find_column("time", time, columns.names))
    return str(choose("time", columns.find(interchange.DATETIME), "it", "datetime"))


def _read_pairs(data: Sequence[Any]) -> Series:
    moments, values = [], []
    for row, pair in enumerate(data, 1):
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise ArgumentError(f"data: row {row} is not a pair. Pass pairs of a time and a value.")
        moments.append(to_moment(pair[0], row))
        values.append(pair[1])
    return _build(moments, values, PlainShape(), None)


def _build(moments: Sequence[Any], values: Sequence[Any], shape: Shape, name: str | None) -> Series:
    kept: list[tuple[datetime, float]] = []
    for row, (moment, value) in enumerate(zip(moments, values), 1):
        if moment is None or moment != moment:
            raise ArgumentError(f"data: row {row} has no time. Remove the row.")
        number = _to_number(value, row)
        if number is not None:
            kept.append((moment, number))
    if not kept:
        raise ArgumentError("data: there are no rows with a value. Pass at least three.")
    if len({moment.tzinfo is None for moment, _ in kept}) > 1:
        raise ArgumentError("data: some times have a zone and others do not. Give all of them a zone, or none.")
    # The labels of rows without a value also count: they show the weekday of weeks.
    labels = find_labels(moments)
    notes = []
    if len(kept) < len(moments):
        count = len(moments) - len(kept)
        notes.append(
            f"data: {count} {'row without a value was' if count == 1 else 'rows without a value were'} left out."
        )
    described = labels.describe()
    if described is not None:
        notes.append(described)
    timestamps = [labels.to_service(moment) for moment, _ in kept]
    _refuse_repeated(timestamps)
    return Series(
        [moment for moment, _ in kept], timestamps, [number for _, number in kept], labels, shape, name, notes
    )


def _refuse_repeated(timestamps: Sequence[str]) -> None:
    seen: set[str] = set()
    for timestamp in timestamps:
        if timestamp in seen:
            raise ArgumentError(
                f"data: there are two rows for {timestamp}. Combine them, for example with groupby, "
                "or pass forecast_many a frame with several series."
            )
        seen.add(timestamp)


def _to_number(value: Any, row: int) -> float | None:
    if value is None or value != value:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"data: row {row} has a value that is not a number. Convert it, or leave it empty."
        ) from None
    if math.isinf(number):
        raise ArgumentError(f"data: row {row} has an infinite value. Remove the row, or leave the value empty.")
    return number


def to_moment(value: Any, row: int) -> Any:
    """Returns a time of any type as a datetime. A missing time is None or NaT."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
        except ValueError:
            raise ArgumentError(
                f"data: row {row} has a time that is not in ISO 8601. "
                "Convert the times, for example with pandas.to_datetime."
            ) from None
    if hasattr(value, "to_pydatetime"):
        return value.to_pydatetime()
    if isinstance(value, datetime) or value is None:
        return value
    if isinstance(value, date):
        return datetime.combine(value, clock())
    raise ArgumentError(f"data: row {row} has no time. Pass dates, datetimes or texts in ISO 8601.")


def choose(argument: str, candidates: Sequence[Any], subject: str, kind: str) -> Any:
    """Returns the only candidate. Otherwise the caller must name one."""
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise ArgumentError(f"data: {subject} has no {kind} column. Name a column with {argument}=….")
    names = ", ".join(str(name) for name in candidates[:10])
    remedy = f"Name one with {argument}=…" + (", or use forecast_many." if argument == "value" else ".")
    raise ArgumentError(f"data: {subject} has several {kind} columns: {names}. {remedy}")


def find_column(argument: str, name: Any, columns: Any) -> Any:
    """Returns the name of a column that is there."""
    if name in columns:
        return name
    names = ", ".join(str(column) for column in list(columns)[:10])
    raise ArgumentError(f"{argument}: there is no column {name}. The columns are {names}.")


def _refuse_column(argument: str, name: str | None, kind: str) -> None:
    if name is not None:
        raise ArgumentError(f"{argument}: {kind} has no columns. Leave it out.")


def is_source(data: Any) -> bool:
    """Returns whether this is a source of the service, such as one that a search returned."""
    return isinstance(data, Mapping) and isinstance(data.get("type"), str)
