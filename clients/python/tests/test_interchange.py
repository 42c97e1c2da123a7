from __future__ import annotations

import ctypes
import struct
from datetime import datetime, timedelta, timezone
from typing import Any

import pandas as pd
import pytest

from almanac import ArgumentError
from almanac.batch import split_series
from almanac.frames import read_series
from almanac.interchange import BOOL, DATETIME, FLOAT, INT, STRING, UINT
from almanac.interchange import Columns as ReadColumns
from foreign import ForeignFrame


def read_columns(frame: Any) -> dict[str, list[Any]]:
    columns = ReadColumns(frame)
    return {name: columns.read(name) for name in columns.names}


def test_numbers_times_and_texts_of_pandas_are_read() -> None:
    times = [datetime(2026, 1, day) for day in (1, 2, 3)]
    frame = ForeignFrame({"t": times, "i": [1, 2, 3], "f": [1.5, None, 3.5], "s": ["a", "bä", "c"]})
    assert read_columns(frame) == {
        "t": times,
        "i": [1, 2, 3],
        "f": [1.5, None, 3.5],
        "s": ["a", "bä", "c"],
    }
    assert ReadColumns(frame).find(INT, FLOAT) == ["i", "f"]


def test_a_foreign_frame_gives_a_foreign_frame() -> None:
    frame = ForeignFrame({"when": [datetime(2026, 1, day) for day in (1, 2, 3)], "y": [1.0, None, 3.0]})
    series = read_series(frame)
    assert (series.timestamps, series.values) == (["2026-01-01", "2026-01-03"], [1.0, 3.0])
    built = series.shape.build(series.labels, ["2026-01-04T00:00:00.000Z"], {"0.5": [4.0]})
    assert isinstance(built, ForeignFrame)
    assert built.columns_given == {"when": [datetime(2026, 1, 4)], "0.5": [4.0]}


def test_a_missing_time_of_a_foreign_frame_is_refused_with_its_row() -> None:
    with pytest.raises(ArgumentError, match="row 2 has no time. Remove the row"):
        read_series(ForeignFrame({"t": [datetime(2026, 1, 1), None], "y": [1.0, 2.0]}))


def test_long_and_wide_foreign_frames_are_split() -> None:
    days = [datetime(2026, 1, day) for day in (1, 2)]
    long = ForeignFrame({"id": ["a", "a", "b", "b"], "t": days * 2, "y": [1, 2, 3, 4]})
    assert [(name, item[0].values) for name, item in split_series(long, "id", None, None).items()] == [
        ("a", [1.0, 2.0]),
        ("b", [3.0, 4.0]),
    ]
    wide = ForeignFrame({"t": days, "a": [1, 2], "b": [3, 4]})
    assert [(name, item[0].values) for name, item in split_series(wide, None, None, None).items()] == [
        ("a", [1.0, 2.0]),
        ("b", [3.0, 4.0]),
    ]


class Buffer:
    def __init__(self, content: bytes) -> None:
        self._content = ctypes.create_string_buffer(content, max(1, len(content)))
        self.ptr = ctypes.addressof(self._content)
        self.bufsize = len(content)


class Column:
    """A column as Arrow has it: with an offset, a bit mask of values that are there, and times with a zone."""

    def __init__(self, dtype: Any, data: bytes, size: int, *, offset: int = 0, null: Any = (0, None), mask: bytes | None = None,
                 offsets: bytes | None = None) -> None:  # fmt: skip
        self.dtype, self.offset, self.describe_null, self._size = dtype, offset, null, size
        self._buffers = {
            "data": (Buffer(data), (UINT, 8, "C", "=") if dtype[0] == STRING else dtype),
            "validity": None if mask is None else (Buffer(mask), (BOOL, 1, "b", "=")),
            "offsets": None if offsets is None else (Buffer(offsets), (INT, 64, "l", "=")),
        }

    def size(self) -> int:
        return self._size

    def get_chunks(self) -> list[Column]:
        return [self]

    def get_buffers(self) -> Any:
        return self._buffers


class Columns:
    def __init__(self, columns: dict[str, Column]) -> None:
        self._columns = columns

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Columns:
        return self

    def column_names(self) -> list[str]:
        return list(self._columns)

    def get_column_by_name(self, name: str) -> Column:
        return self._columns[name]


def test_columns_as_arrow_has_them_are_read() -> None:
    first = datetime(2026, 1, 1, tzinfo=timezone.utc)
    micros = [int((first + timedelta(days=day)).timestamp()) * 1_000_000 for day in range(4)]
    frame = Columns(
        {
            # The first value is before the offset; the mask has a bit for each value that is there.
            "t": Column((DATETIME, 64, "tsu:Europe/Berlin", "="), struct.pack("4q", *micros), 3, offset=1),
            "d": Column((DATETIME, 32, "tdD", "="), struct.pack("3i", 20454, 20455, 20456), 3),
            "y": Column(
                (FLOAT, 32, "f", "="), struct.pack("4f", 9, 1, 2, 3), 3, offset=1, null=(3, 0), mask=bytes([0b1010])
            ),
            "s": Column(
                (STRING, 8, "u", "="),
                b"abc",
                3,
                offsets=struct.pack("4q", 0, 1, 1, 3),
                null=(3, 0),
                mask=bytes([0b101]),
            ),
            "b": Column((BOOL, 1, "b", "="), bytes([0b110]), 3),
        }
    )
    columns = read_columns(frame)
    assert columns["t"] == [first + timedelta(days=day) for day in (1, 2, 3)]
    assert str(columns["t"][0].tzinfo) == "Europe/Berlin"
    assert columns["d"] == [datetime(2026, 1, 1), datetime(2026, 1, 2), datetime(2026, 1, 3)]
    assert columns["y"] == [1.0, None, 3.0]
    assert columns["s"] == ["a", None, "bc"]
    assert columns["b"] == [False, True, True]


def test_types_that_cannot_be_read_are_refused_with_their_column() -> None:
    frame = Columns({"x": Column((FLOAT, 16, "e", "="), b"\0\0", 1)})
    with pytest.raises(ArgumentError, match="the column x has a type that cannot be read. Convert it"):
        read_columns(frame)

    class Lacking(Columns):
        """pyarrow refuses columns of types that the protocol lacks, such as its dates."""

        def get_column_by_name(self, name: str) -> Column:
            if name == "d":
                raise ValueError("Data type date32[day] not supported by interchange protocol")
            return super().get_column_by_name(name)

    days = struct.pack("3i", 20454, 20455, 20456)
    known = {"t": Column((DATETIME, 32, "tdD", "="), days, 3), "y": Column((INT, 32, "i", "="), days, 3)}
    lacking = Lacking({**known, "d": Column((INT, 32, "i", "="), days, 3)})
    assert read_series(lacking).timestamps == ["2026-01-01", "2026-01-02", "2026-01-03"]
    with pytest.raises(ArgumentError, match="the column d cannot be read by the dataframe protocol .* Convert it"):
        read_series(lacking, time="d")
    with pytest.raises(ArgumentError, match="it has no datetime column"):
        read_series(ForeignFrame({"y": [1.0]}))


def test_categories_of_pandas_are_texts() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["b", "a", "b"])})
    assert read_columns(frame)["c"] == ["b", "a", "b"]
