from __future__ import annotations

import json
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pandas as pd
import pytest

from almanac import Almanac, ArgumentError, Progress
from almanac.progress import format_bar
from conftest import Script, fail, reply

SOURCE = {"type": "economic_series", "provider": "fred", "series_id": "GDP"}
ROWS = {
    "ok": True,
    "provider": "fred",
    "frequency": "1QE",
    "rows": [{"timestamp": "2020-03-31T00:00:00.000Z", "value": 1}],
}


def connect(script: Script) -> Almanac:
    return Almanac(script.url, "key", retry_delay=0.001)


@pytest.mark.parametrize("vintage", ["2020-05-01", date(2020, 5, 1), datetime(2020, 5, 1, 9)])
def test_the_vintage_is_a_part_of_the_source(script: Script, vintage: Any) -> None:
    script.handlers = [reply(200, ROWS)]
    rows = connect(script).observations(SOURCE, vintage=vintage, cutoff=date(2020, 6, 1))
    body = json.loads(script.received[0].body)
    assert body == {"source": {**SOURCE, "vintage": "2020-05-01"}, "cutoff": "2020-06-01T00:00:00Z"}
    assert "vintage" not in SOURCE
    assert rows.info["frequency"] == "1QE" and rows.frame.loc[pd.Timestamp("2020-03-31", tz="UTC"), "value"] == 1


def test_what_is_not_a_source_is_refused(script: Script) -> None:
    with pytest.raises(ArgumentError, match="^source: is not a source. Pass"):
        connect(script).observations({"series_id": "GDP"})


def test_a_history_is_joined_from_its_pages_and_ends_a_loop(script: Script) -> None:
    def page(day: int, cursor: str | None) -> Any:
        bar = {
            "timestamp": f"2026-01-{day:02}T00:00:00.000Z",
            "open": 1,
            "high": 1,
            "low": 1,
            "close": day,
            "volume": 1,
        }
        body = {"ok": True, "symbol": "EURUSD", "rows": [bar], "next_cursor": cursor, "truncated": cursor is not None}
        return reply(200, body)

    script.handlers = [page(3, "a"), page(2, "b"), page(1, "a")]
    bars = connect(script).history(
        "EURUSD", limit=None, start=datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=1)))
    )
    assert bars.frame["close"].tolist() == [1, 2, 3]
    bodies = [json.loads(request.body) for request in script.received]
    assert [body.get("cursor") for body in bodies] == [None, "a", "b"]
    assert bodies[0]["start"] == "2025-12-31T23:00:00.000Z" and bodies[0]["limit"] == 50_000


def test_the_cutoff_of_days_is_in_the_zone_of_the_index(script: Script) -> None:
    script.handlers = [fail(422, "UNPROCESSABLE")]
    rows = pd.Series([1.0, 2, 3], index=pd.date_range("2026-01-01", periods=3, tz="Asia/Tokyo"))
    for cutoff in (pd.Timestamp("2026-01-03", tz="Asia/Tokyo"), 2, "2026-01-03T00:00:00Z"):
        with pytest.raises(Exception, match="UNPROCESSABLE"):
            connect(script).forecast(rows, 1, cutoff=cutoff)
    sent = [json.loads(request.body)["cutoff"] for request in script.received]
    assert sent == ["2026-01-03T00:00:00.000Z", 2, "2026-01-03T00:00:00Z"]


def test_a_bar_states_what_is_done_failed_and_left() -> None:
    assert format_bar(Progress(0, 0, 4, 0.0)).strip() == "[························] 0/4 series"
    assert format_bar(Progress(2, 1, 4, 61.0)).strip() == "[############············] 2/4 series, 1 failed, 1:01 left"
    assert format_bar(Progress(4, 0, 4, 9.0)).strip() == "[########################] 4/4 series"
