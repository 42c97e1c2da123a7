from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest

from almanac import ArgumentError
from almanac.frames import Series, read_series
from almanac.tables import has_pandas


def values(index: Any) -> pd.Series:
    return pd.Series(np.arange(len(index), dtype="float64"), index=index, name="sales")


def continue_index(series: Series, timestamps: list[str]) -> Any:
    """Returns the index that predictions at these timestamps have."""
    return series.shape.build(series.labels, timestamps, {"0.5": [1.0] * len(timestamps)}).index


def assert_continues(index: Any, sent_last: str, predicted: list[str]) -> None:
    """Asserts that the predictions after all but the last two labels have exactly the last two labels."""
    series = read_series(values(index[:-2]))
    assert series.timestamps[-1] == sent_last
    result = continue_index(series, predicted)
    pd.testing.assert_index_equal(result, index[-2:], exact=True)
    assert result.name == index.name


def test_days_without_a_zone() -> None:
    index = pd.date_range("2026-01-01", periods=12, name="day")
    assert_continues(index, "2026-01-10", ["2026-01-11T00:00:00.000Z", "2026-01-12T00:00:00.000Z"])


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC", "Pacific/Auckland"])
def test_days_of_a_zone_stay_its_midnights_across_changes_of_the_clock(zone: str) -> None:
    index = pd.date_range("2026-03-20", periods=12, tz=zone)
    assert_continues(index, "2026-03-29", ["2026-03-30T00:00:00.000Z", "2026-03-31T00:00:00.000Z"])


def test_a_day_whose_midnight_is_missing_begins_later() -> None:
    # In Beirut, the clock jumps from 00:00 to 01:00 on 2021-03-28.
    days = pd.DatetimeIndex(["2021-03-24", "2021-03-25", "2021-03-26", "2021-03-27", "2021-03-28", "2021-03-29"])
    index = days.tz_localize("Asia/Beirut", nonexistent="shift_forward")
    assert read_series(values(index)).timestamps[-2] == "2021-03-28"
    assert_continues(index, "2021-03-27", ["2021-03-28T00:00:00.000Z", "2021-03-29T00:00:00.000Z"])


def test_hours_of_a_zone_are_instants() -> None:
    index = pd.date_range("2026-03-28 20:00", periods=8, freq=timedelta(hours=1), tz="Europe/Berlin")
    predicted = ["2026-03-29T01:00:00.000Z", "2026-03-29T02:00:00.000Z"]
    assert_continues(index, "2026-03-29T00:00:00.000Z", predicted)


def test_times_without_a_zone_are_in_utc() -> None:
    index = pd.date_range("2026-01-01 05:00", periods=6, freq=timedelta(hours=4))
    assert_continues(index, "2026-01-01T17:00:00.000Z", ["2026-01-01T21:00:00.000Z", "2026-01-02T01:00:00.000Z"])


@pytest.mark.parametrize(
    "weekday, last, predicted",
    [("MON", "2026-02-02", ["2026-02-09", "2026-02-16"]), ("SUN", "2026-02-02", ["2026-02-09", "2026-02-16"])],
)
def test_weeks_keep_their_weekday(weekday: str, last: str, predicted: list[str]) -> None:
    index = pd.date_range("2026-01-05", periods=7, freq=f"W-{weekday}")
    series = read_series(values(index[:5]))
    assert series.timestamps[-1] == last
    result = continue_index(series, [f"{day}T00:00:00.000Z" for day in predicted])
    pd.testing.assert_index_equal(result, index[5:], exact=True)
    assert series.notes == (
        ["index: it has weeks on Sunday; the service dates them by their Monday."] if weekday == "SUN" else []
    )


def test_quarters_and_years_keep_their_first_day() -> None:
    quarters = pd.DatetimeIndex([f"{2020 + i // 4}-{1 + i % 4 * 3:02}-01" for i in range(10)])
    assert_continues(quarters, "2021-12-31", ["2022-03-31T00:00:00.000Z", "2022-06-30T00:00:00.000Z"])
    years = pd.DatetimeIndex([f"{year}-01-01" for year in range(2010, 2020)])
    assert_continues(years, "2017-12-31", ["2018-12-31T00:00:00.000Z", "2019-12-31T00:00:00.000Z"])
    months = pd.DatetimeIndex([f"2020-{month:02}-01" for month in range(1, 13)])
    assert_continues(months, "2020-10-01", ["2020-11-01T00:00:00.000Z", "2020-12-01T00:00:00.000Z"])


@pytest.mark.parametrize(
    "code, start, last, predicted",
    [
        ("M", "2026-01", "2026-08-01", ["2026-09-01", "2026-10-01"]),
        ("Q-DEC", "2020Q1", "2021-12-31", ["2022-03-31", "2022-06-30"]),
        ("D", "2026-01-01", "2026-01-08", ["2026-01-09", "2026-01-10"]),
        ("W-SUN", "2026-01-05", "2026-02-23", ["2026-03-02", "2026-03-09"]),
    ],
)
def test_periods_stay_periods(code: str, start: str, last: str, predicted: list[str]) -> None:
    index = pd.period_range(start, periods=10, freq=code, name="period")
    assert_continues(index, last, [f"{day}T00:00:00.000Z" for day in predicted])


@pytest.mark.skipif(not hasattr(pd.DatetimeIndex([]), "as_unit"), reason="this pandas has only nanoseconds")
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_the_unit_of_the_index_is_kept(unit: str) -> None:
    index: Any = pd.date_range("2026-01-01", periods=6).as_unit(unit)
    assert_continues(index, "2026-01-04", ["2026-01-05T00:00:00.000Z", "2026-01-06T00:00:00.000Z"])


def test_a_column_of_times_stays_a_column() -> None:
    frame = pd.DataFrame(
        {"ds": pd.date_range("2026-01-01", periods=4, tz="Europe/Berlin"), "y": [1, 2, None, 4], "note": list("abcd")}
    )
    series = read_series(frame)
    assert (series.timestamps, series.values) == (["2026-01-01", "2026-01-02", "2026-01-04"], [1.0, 2.0, 4.0])
    assert series.notes == ["data: 1 row without a value was left out."]
    built = series.shape.build(series.labels, ["2026-01-05T00:00:00.000Z"], {"0.5": [1.0]})
    assert list(built.columns) == ["ds", "0.5"]
    assert built["ds"].iloc[0] == pd.Timestamp("2026-01-05", tz="Europe/Berlin")


@pytest.mark.parametrize("kind", ["object", "string"])
def test_texts_in_iso_8601_are_times(kind: str) -> None:
    frame = pd.DataFrame({"day": pd.Series(["2026-01-02", "2026-01-01", "2026-01-03"], dtype=kind), "y": [2, 1, 3]})
    series = read_series(frame, time="day")
    assert series.timestamps == ["2026-01-02", "2026-01-01", "2026-01-03"]
    assert continue_index_column(series) == pd.Timestamp("2026-01-04")


def continue_index_column(series: Series) -> Any:
    return series.shape.build(series.labels, ["2026-01-04T00:00:00.000Z"], {"0.5": [1.0]})["day"].iloc[0]


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "Int64", "Float64", "object"])
def test_numbers_of_every_type_are_read(dtype: str) -> None:
    index = pd.date_range("2026-01-01", periods=3)
    assert read_series(pd.Series([1, 2, 3], index=index, dtype=dtype)).values == [1.0, 2.0, 3.0]


def test_decimals_and_missing_values_are_read() -> None:
    index = pd.date_range("2026-01-01", periods=4)
    series = read_series(pd.Series([Decimal("1.5"), None, pd.NA, 2], index=index, dtype="object"))
    assert series.values == [1.5, 2.0]
    assert series.notes == ["data: 2 rows without a value were left out."]


def test_pairs_need_no_frame() -> None:
    series = read_series([(date(2026, 1, 1), 1), ("2026-01-02", 2), (datetime(2026, 1, 3), 3)])
    assert series.timestamps == ["2026-01-01", "2026-01-02", "2026-01-03"]
    berlin = ZoneInfo("Europe/Berlin")
    series = read_series([(datetime(2026, 1, day, 9, 30, tzinfo=berlin), day) for day in (1, 2, 3)])
    assert series.timestamps[0] == "2026-01-01T08:30:00.000Z"
    assert has_pandas()
    assert str(continue_index(series, ["2026-01-04T08:30:00.000Z"])[0]) == "2026-01-04 09:30:00+01:00"
    assert read_series([(datetime(2026, 1, 1, 5, tzinfo=timezone.utc), 1)] * 1).timestamps == [
        "2026-01-01T05:00:00.000Z"
    ]


DAYS = pd.date_range("2026-01-01", periods=3)


@pytest.mark.parametrize(
    "data, options, message",
    [
        (5, {}, "data: is not a series. Pass"),
        (pd.Series([1, 2]), {}, "data: its index has no times. Use a DatetimeIndex"),
        (pd.Series([1, 2, 3], index=DAYS), {"value": "y"}, "value: a series has no columns. Leave it out"),
        (
            pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]}, index=DAYS),
            {},
            "several numeric columns: a, b. Name one with value=",
        ),
        (
            pd.DataFrame({"a": ["x", "y", "z"]}, index=DAYS),
            {},
            "data: it has no numeric column. Name a column with value=",
        ),
        (
            pd.DataFrame({"a": [1, 2, 3]}),
            {},
            "its index has no times and it has no datetime column. Name a column with time=",
        ),
        (pd.DataFrame({"a": [1, 2, 3]}, index=DAYS), {"value": "y"}, "value: there is no column y. The columns are a."),
        (
            pd.DataFrame({"a": ["x", "y", "z"]}, index=DAYS),
            {"value": "a"},
            "row 1 has a value that is not a number. Convert it",
        ),
        (pd.Series([1, float("inf"), 3], index=DAYS), {}, "row 2 has an infinite value. Remove the row"),
        (pd.Series([1, 2], index=pd.DatetimeIndex(["2026-01-01", pd.NaT])), {}, "row 2 has no time. Remove the row"),
        (pd.Series([1, 2], index=DAYS[[0, 0]]), {}, "two rows for 2026-01-01. Combine them"),
        (pd.Series([np.nan] * 3, index=DAYS), {}, "there are no rows with a value"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"], index=DAYS[:1]), {}, "two columns a. Rename one"),
        ([("01/02/2026", 1)], {}, "row 1 has a time that is not in ISO 8601. Convert the times"),
        ([1, 2], {}, "row 1 is not a pair"),
        ([(datetime(2026, 1, 1), 1), (datetime(2026, 1, 2, tzinfo=timezone.utc), 2)], {}, "some times have a zone"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_argument_and_the_remedy(
    data: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        read_series(data, **options)
    assert message in str(caught.value)
