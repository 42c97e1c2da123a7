"""Reads frames of other libraries, such as polars, by the dataframe interchange protocol.

The protocol is read here, because pandas is optional and its reader is deprecated since pandas 3.
https://data-apis.org/dataframe-protocol/latest/
"""

from __future__ import annotations

import ctypes
import struct
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any, Callable, Sequence
from zoneinfo import ZoneInfo

from .errors import ArgumentError

# The kinds of data types and of missing values in the protocol.
INT, UINT, FLOAT, BOOL, STRING, DATETIME, CATEGORICAL = 0, 1, 2, 20, 21, 22, 23
NUMERIC = (INT, UINT, FLOAT)
_NO_NULLS, _NAN, _SENTINEL, _BIT_MASK, _BYTE_MASK = 0, 1, 2, 3, 4

_CODES = {
    (INT, 8): "b", (INT, 16): "h", (INT, 32): "i", (INT, 64): "q",
    (UINT, 8): "B", (UINT, 16): "H", (UINT, 32): "I", (UINT, 64): "Q",
    (FLOAT, 32): "f", (FLOAT, 64): "d", (BOOL, 8): "?", (DATETIME, 32): "i", (DATETIME, 64): "q",
}  # fmt: skip
_UNITS = {"s": 1, "m": 1_000, "u": 1_000_000, "n": 1_000_000_000}
_EPOCH = datetime(1970, 1, 1)


class Columns:
    """The columns of a frame, each read when it is used, because the protocol lacks types that others may have."""

    def __init__(self, frame: Any) -> None:
        self._interchange = frame.__dataframe__(allow_copy=True)
        self.names = [str(name) for name in self._interchange.column_names()]

    def find(self, *kinds: int) -> list[str]:
        """Returns the names of the columns of these kinds."""
        return [name for name in self.names if self._read_kind(name) in kinds]

    def read(self, name: str) -> list[Any]:
        """Returns the values of a column. A missing value is None."""
        try:
            column = self._interchange.get_column_by_name(name)
            return [value for chunk in column.get_chunks() for value in _read_chunk(name, chunk)]
        except (NotImplementedError, TypeError, ValueError) as error:
            if isinstance(error, ArgumentError):
                raise
            raise ArgumentError(
                f"data: the column {name} cannot be read by the dataframe protocol ({error}). "
                "Convert it to numbers, texts or datetimes."
            ) from error

    def _read_kind(self, name: str) -> int | None:
        try:
            return int(self._interchange.get_column_by_name(name).dtype[0])
        except (NotImplementedError, TypeError, ValueError):
            return None


def _read_chunk(name: str, column: Any) -> list[Any]:
    kind, _, format_, _ = column.dtype
    size = int(column.size()) if callable(column.size) else int(column.size)
    offset = int(column.offset)
    buffers = column.get_buffers()
    data, data_type = buffers["data"]
    if kind == STRING:
        values: list[Any] = _read_strings(buffers, offset, size)
    elif kind == CATEGORICAL:
        described = column.describe_categorical
        categories = _read_chunk(name, described["categories"])
        codes = _read_numbers(name, data, data_type, offset, size)
        values = [categories[code] if 0 <= code < len(categories) else None for code in codes]
    else:
        values = _read_numbers(name, data, data_type if kind != DATETIME else column.dtype, offset, size)
    is_missing = _read_nulls(column, buffers["validity"], values, offset, size)
    if kind == DATETIME:
        to_time = _read_times(name, str(format_))
        return [None if is_missing(i) else to_time(value) for i, value in enumerate(values)]
    return [None if is_missing(i) else value for i, value in enumerate(values)]


def _read_numbers(name: str, buffer: Any, data_type: Sequence[Any], offset: int, size: int) -> list[Any]:
    kind, bits = int(data_type[0]), int(data_type[1])
    if kind == BOOL and bits == 1:
        raw = _read_bytes(buffer, 0, (offset + size + 7) // 8)
        return [bool(raw[i // 8] >> (i % 8) & 1) for i in range(offset, offset + size)]
    code = _CODES.get((kind, bits))
    if code is None:
        raise ArgumentError(
            f"data: the column {name} has a type that cannot be read. Convert it to numbers or datetimes."
        )
    width = bits // 8
    return list(struct.unpack(f"={size}{code}", _read_bytes(buffer, offset * width, size * width)))


def _read_strings(buffers: Any, offset: int, size: int) -> list[Any]:
    offsets_buffer, offsets_type = buffers["offsets"]
    ends = _read_numbers("", offsets_buffer, offsets_type, offset, size + 1)
    text = _read_bytes(buffers["data"][0], 0, int(ends[-1]) if ends else 0)
    return [text[start:end].decode() for start, end in zip(ends, ends[1:])]


def _read_nulls(column: Any, validity: Any, values: Sequence[Any], offset: int, size: int) -> Callable[[int], bool]:
    """Returns a function that states whether a value is missing."""
    kind, sentinel = column.describe_null
    if kind == _NAN:
        return lambda i: bool(values[i] != values[i])
    if kind == _SENTINEL:
        return lambda i: bool(values[i] == sentinel)
    if kind == _BIT_MASK and validity is not None:
        bits = _read_bytes(validity[0], 0, (offset + size + 7) // 8)
        return lambda i: bool(bits[(offset + i) // 8] >> ((offset + i) % 8) & 1 == sentinel)
    if kind == _BYTE_MASK and validity is not None:
        mask = _read_bytes(validity[0], offset, size)
        return lambda i: bool(mask[i] == sentinel)
    return lambda i: False


def _read_times(name: str, format_: str) -> Callable[[int], datetime]:
    """Returns a function from stored numbers to times. The format is that of Arrow, such as `tsu:Europe/Berlin`."""
    if format_ == "tdD":
        return lambda days: _EPOCH + timedelta(days=days)
    if not format_.startswith("ts") or format_[2:3] not in _UNITS:
        raise ArgumentError(
            f"data: the column {name} has times of a type that cannot be read. Convert it to datetimes."
        )
    unit, zone_name = _UNITS[format_[2]], format_[4:]
    if zone_name == "":
        return lambda count: _EPOCH + timedelta(seconds=count // unit, microseconds=count % unit * 1_000_000 // unit)
    zone = _find_zone(name, zone_name)
    epoch = _EPOCH.replace(tzinfo=timezone.utc)
    return lambda count: (
        epoch + timedelta(seconds=count // unit, microseconds=count % unit * 1_000_000 // unit)
    ).astimezone(zone)


def _find_zone(name: str, zone_name: str) -> tzinfo:
    if zone_name in ("UTC", "Z", "+00:00"):
        return timezone.utc
    try:
        return ZoneInfo(zone_name)
    except (KeyError, ValueError):
        raise ArgumentError(f"data: the column {name} has the unknown zone {zone_name}. Convert it to UTC.") from None


def _read_bytes(buffer: Any, start: int, length: int) -> bytes:
    return b"" if length == 0 else ctypes.string_at(int(buffer.ptr) + start, length)
