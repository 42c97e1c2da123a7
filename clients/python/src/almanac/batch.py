"""Batches: finds the series in what a caller passes, and collects their forecasts."""

from __future__ import annotations

import sys
from typing import Any, Generic, Iterator, Mapping, Sequence, TypeVar

from . import interchange
from .errors import AlmanacError, ArgumentError
from .frames import OneOfMany, choose, find_column, find_foreign_time, is_source, to_moment
from .result import Result
from .tables import ForeignShape, has_pandas

R = TypeVar("R", bound=Result)

#: More at a time than the slots of a plan only wait.
DEFAULT_PARALLEL = 4


class Batch(Mapping[str, R], Generic[R]):
    """The forecasts of several series by name, in their order. A series that failed is in `errors` instead."""

    def __init__(self, names: Sequence[str], results: Mapping[str, R], errors: Mapping[str, Exception]) -> None:
        self._results = {name: results[name] for name in names if name in results}
        self.errors = {name: errors[name] for name in names if name in errors}

    @property
    def frame(self) -> Any:
        """One frame of all forecasts: of pandas with the levels `series` and time, otherwise with a column `series`."""
        frames = {name: result.frame for name, result in self._results.items()}
        if not frames:
            raise ArgumentError("frame: no series could be forecast. Read errors for the reasons.")
        if has_pandas():
            import pandas as pd

            if all(isinstance(frame, pd.DataFrame) for frame in frames.values()):
                return pd.concat(frames, names=["series"])
        return _join(self._results)

    def __getitem__(self, name: str) -> R:
        if name in self.errors:
            raise KeyError(f"{name} could not be forecast: {self.errors[name]}") from self.errors[name]
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        failed = [f"{name}: {error}" for name, error in self.errors.items()]
        return "\n".join([f"{len(self._results)} forecasts, {len(failed)} failed", *failed])


def split_series(
    data: Any, series: str | None, time: str | None, value: str | None
) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Returns what to pass to `forecast` for each series: the data and the columns.

    Args:
        data: a mapping from names to series, a list of search results or sources, a long frame with a column of
            names, or a frame with a column for each series.
        series: the column of names in a long frame.
    """
    pd = sys.modules.get("pandas")
    columns = {"time": time, "value": value}
    if pd is not None and isinstance(data, pd.DataFrame):
        return _split_pandas(pd, data, series, time, value)
    if hasattr(data, "__dataframe__"):
        return _split_foreign(data, series, time, value)
    if isinstance(data, Mapping) and not is_source(data):
        return {str(name): (item, columns) for name, item in data.items()}
    if isinstance(data, Sequence) and all(isinstance(item, Mapping) for item in data):
        return _name_sources(data)
    raise ArgumentError(
        "data: has no series. Pass a mapping from names to series, a list of search results, or a frame with a column "
        "for each series or with a column of names."
    )


def _split_pandas(
    pd: Any, data: Any, series: str | None, time: str | None, value: str | None
) -> dict[str, tuple[Any, dict[str, Any]]]:
    if series is not None:
        name = find_column("series", series, data.columns)
        columns = {"time": time, "value": value}
        groups = data.groupby(name, sort=False, observed=True)
        return {str(key): (group.drop(columns=[name]), columns) for key, group in groups}
    if not isinstance(data.index, (pd.DatetimeIndex, pd.PeriodIndex)):
        times = [column for column in data.columns if pd.api.types.is_datetime64_any_dtype(data[column])]
        time = time if time is not None else choose("time", times, "its index has no times and it", "datetime")
    chosen = [
        column
        for column in data.columns
        if column != time and (column == value if value is not None else pd.api.types.is_numeric_dtype(data[column]))
    ]
    if not chosen:
        raise ArgumentError("data: has no numeric column. Pass a column for each series.")
    if time is None:
        return {str(column): (data[column], {}) for column in chosen}
    return {str(column): (data[[time, column]], {"time": time, "value": column}) for column in chosen}


def _split_foreign(
    data: Any, series: str | None, time: str | None, value: str | None
) -> dict[str, tuple[Any, dict[str, Any]]]:
    columns = interchange.Columns(data)
    time = find_foreign_time(columns, time)
    shape = ForeignShape(type(data), time)
    moments = [to_moment(moment, row) for row, moment in enumerate(columns.read(time), 1)]
    numbers = [name for name in columns.find(*interchange.NUMERIC) if name not in (time, series)]
    if series is None:
        chosen = numbers if value is None else [str(find_column("value", value, columns.names))]
        if not chosen:
            raise ArgumentError("data: has no numeric column. Pass a column for each series.")
        return {name: (OneOfMany(moments, columns.read(name), shape, name), {}) for name in chosen}
    names = columns.read(str(find_column("series", series, columns.names)))
    if value is not None:
        value = str(find_column("value", value, columns.names))
    else:
        value = str(choose("value", numbers, "it", "numeric"))
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(str(name), []).append(row)
    values = columns.read(value)
    return {
        name: (OneOfMany([moments[row] for row in chosen], [values[row] for row in chosen], shape, name), {})
        for name, chosen in rows.items()
    }


def _name_sources(items: Sequence[Mapping[str, Any]]) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Names sources by their titles, or by what identifies them."""
    named: dict[str, tuple[Any, dict[str, Any]]] = {}
    for item in items:
        source = item if is_source(item) else item.get("source")
        if not is_source(source) or not isinstance(source, Mapping):
            raise ArgumentError("data: an item is not a search result. Pass the results of a search, or their sources.")
        known = (item.get("title"), source.get("symbol"), source.get("series_id"), source.get("table"))
        name = str(next((text for text in known if text), "series"))
        unique = name
        while unique in named:
            unique = f"{name} ({len(named) + 1})"
        named[unique] = (source, {})
    return named


def _join(results: Mapping[str, Result]) -> Any:
    """Joins frames of another library, or dicts of columns."""
    joined: dict[str, list[Any]] = {"series": []}
    shape: Any = None
    for name, result in results.items():
        shape = result._shape
        columns = result.to_columns()
        for column, values in columns.items():
            joined.setdefault(column, []).extend(values)
        joined["series"].extend([name] * len(next(iter(columns.values()))))
    return shape.make(joined) if isinstance(shape, ForeignShape) else joined


def is_expected(error: Exception) -> bool:
    """Returns whether an error concerns one series, so that the others continue."""
    return isinstance(error, (AlmanacError, ArgumentError))
