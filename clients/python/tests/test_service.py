from __future__ import annotations

import json
import sys
import warnings
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pandas as pd
import pytest

import almanac
from almanac import Almanac
from conftest import Running
from foreign import ForeignFrame
from series import make_daily

MODELS = ["theta", "ets"]


@pytest.fixture
def client(service: Running) -> Iterator[Almanac]:
    with Almanac(service.url, service.key) as connected:
        yield connected


def test_a_forecast_is_a_frame_with_what_explains_it(client: Almanac, tmp_path: Path) -> None:
    kinds: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        warnings.simplefilter("error", FutureWarning)
        forecast = client.forecast(
            make_daily(zone="Europe/Berlin"),
            5,
            models=MODELS,
            title="Sales",
            on_event=lambda event: kinds.append(event.kind),
        )
    assert (kinds[0], kinds[-1]) == ("queued", "completed")
    expected = pd.date_range("2026-03-02", periods=5, tz="Europe/Berlin", name="day")
    pd.testing.assert_index_equal(forecast.frame.index, expected)
    assert list(forecast.frame.columns) == forecast.quantiles == ["0.1", "0.25", "0.5", "0.75", "0.9"]
    assert (np.diff(forecast.frame.to_numpy(), axis=1) >= 0).all()
    assert forecast.notes == ["frequency: 1D, inferred by the service."]
    assert (forecast.frequency, forecast.season, forecast.horizon, forecast.name) == ("1D", 7, 5, "Sales")

    # What a frame can do works on the forecast itself.
    assert len(forecast) == 5 and forecast[0.5].equals(forecast.frame["0.5"])
    assert getattr(forecast, "iloc")[1:].shape == (4, 5)
    assert "Sales (1D) by " in repr(forecast) and "<table" in (forecast._repr_html_() or "")
    with pytest.raises(AttributeError, match="Forecast and its frame have no attribute wrong"):
        getattr(forecast, "wrong")

    assert forecast.weights.sum().round(9).eq(1).all()
    assert list(forecast.weights.columns) == forecast.quantiles
    assert forecast.audit.status == "completed" and forecast.audit.scores is not None
    assert set(forecast.audit.scores.coverage) == {0.5, 0.8}
    assert str(forecast.audit).startswith(f"On {forecast.audit.scores.rows} rows that chose nothing")
    assert set(forecast.members) == set(MODELS)
    member = forecast.members["theta"]
    pd.testing.assert_index_equal(member.frame.index, expected)

    proof = forecast.proof
    assert proof.content_id.startswith("0x")
    proof.save(tmp_path / "proof.json")
    assert json.loads((tmp_path / "proof.json").read_text())["content_cid"] == proof.content_id

    again = client.read_forecast(forecast.id)
    assert again.to_columns() == forecast.to_columns()
    assert str(again.frame.index.tz) == "UTC"
    assert forecast.id in [item["forecast_id"] for item in client.forecasts(q="Sales")]
    client.delete(forecast.id)
    with pytest.raises(almanac.NotFoundError):
        client.read_forecast(forecast.id)


def test_an_outcome_is_recorded_and_read_in_the_zone_of_the_rows(client: Almanac) -> None:
    today = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    # The rows end six days ago, so that the periods of the first predictions are over.
    rows = make_daily(40)
    rows.index = pd.date_range(end=today - timedelta(days=6), periods=40, tz="Europe/Berlin")
    forecast = client.forecast(rows, 3, models=["theta"])
    waiting = forecast.outcome()
    assert (waiting.status, len(waiting)) == ("waiting", 0)
    outcome = forecast.record_outcome(pd.Series([100.0, 101.0], index=forecast.frame.index[:2]))
    assert outcome.frame["actual"].tolist() == [100.0, 101.0]
    pd.testing.assert_index_equal(outcome.frame.index, forecast.frame.index[:2])
    assert outcome.status == "partial"


def test_one_hour_at_midnight_is_recorded_as_an_hour(client: Almanac) -> None:
    now = datetime.now(timezone.utc)
    begin = pd.Timestamp(now.date(), tz="Europe/Berlin") - timedelta(days=4)
    index = pd.date_range(begin, periods=48, freq=timedelta(hours=1))
    forecast = client.forecast(pd.Series(np.arange(48.0), index=index), 2, models=["theta"])
    assert forecast.frame.index[0].hour == 0
    outcome = forecast.record_outcome(pd.Series([48.0], index=forecast.frame.index[:1]))
    pd.testing.assert_index_equal(outcome.frame.index, forecast.frame.index[:1])


def test_a_program_without_pandas_gets_a_dict_of_columns(client: Almanac, monkeypatch: pytest.MonkeyPatch) -> None:
    modules: dict[str, Any] = sys.modules
    monkeypatch.setitem(modules, "pandas", None)
    rows = [(datetime(2026, 1, day), float(day)) for day in range(1, 21)]
    forecast = client.forecast(rows, 2, models=["theta"])
    assert list(forecast.frame) == ["timestamp", *forecast.quantiles] and len(forecast) == 2
    assert forecast["timestamp"] == [datetime(2026, 1, 21), datetime(2026, 1, 22)]
    assert forecast.weights["model"] == ["theta"]
    batch = client.forecast_many({"a": rows, "b": rows}, 1, models=["theta"], progress=False)
    assert batch.frame["series"] == ["a", "b"]
    assert client.history("AAPL", limit=2).frame["close"] == [190.039993, 188.589996]


def test_weeks_on_sunday_and_quarters_by_their_first_day_keep_their_labels(client: Almanac) -> None:
    weeks = pd.Series(np.arange(30.0), index=pd.date_range("2026-01-04", periods=30, freq="W-SUN"))
    forecast = client.forecast(weeks, 2, models=["theta"])
    assert forecast.frequency == "1W-MON"
    pd.testing.assert_index_equal(forecast.frame.index, pd.date_range("2026-08-02", periods=2, freq="W-SUN"))
    assert forecast.notes[1].startswith("index: it has weeks on Sunday")
    quarters = pd.Series(np.arange(24.0), index=pd.period_range("2018Q1", periods=24, freq="Q-DEC"))
    forecast = client.forecast(quarters, 2, models=["theta"])
    assert forecast.frequency == "1QE"
    pd.testing.assert_index_equal(forecast.frame.index, pd.period_range("2024Q1", periods=2, freq="Q-DEC"))


def test_hours_of_a_zone_continue_across_a_change_of_the_clock(client: Almanac) -> None:
    index = pd.date_range("2026-03-26", periods=72, freq=timedelta(hours=1), tz="Europe/Berlin")
    forecast = client.forecast(pd.Series(np.arange(72.0), index=index), 4, models=["theta"])
    expected = pd.date_range(index[-1], periods=5, freq=timedelta(hours=1))[1:]
    pd.testing.assert_index_equal(forecast.frame.index, expected)


def test_a_foreign_frame_gives_a_foreign_frame(client: Almanac) -> None:
    rows = make_daily(30)
    frame = ForeignFrame({"day": list(rows.index.to_pydatetime()), "sales": rows.tolist()})
    forecast = client.forecast(frame, 2, models=["theta"])
    assert isinstance(forecast.frame, ForeignFrame)
    assert forecast.frame["day"] == [datetime(2026, 1, 31), datetime(2026, 2, 1)]
    batch = client.forecast_many(
        ForeignFrame({"day": frame["day"], "a": frame["sales"], "b": frame["sales"]}), 2, models=["theta"]
    )
    assert isinstance(batch["a"].frame, ForeignFrame)
    assert batch.frame["series"] == ["a", "a", "b", "b"]


def test_a_plot_has_the_history_the_fan_and_the_median(client: Almanac) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = client.forecast(make_daily(zone="Asia/Kolkata"), 5, models=["theta"]).plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "history",
        "80% interval",
        "50% interval",
        "median",
    ]


def test_a_series_of_the_service_is_searched_read_and_forecast(client: Almanac) -> None:
    found = client.search("construction employment", limit=5)
    source = next(item["source"] for item in found if item["source"].get("series_id") == "us-employment-construction")
    assert client.describe(source)["frequency"] == "1ME"
    rows = client.observations(source, limit=24)
    assert (len(rows), rows.info["frequency"], str(rows.frame.index.tz)) == (24, "1ME", "UTC")
    same = client.observations(rows.info["source"], snapshot_id=rows.info["snapshot_id"])
    assert same.frame.equals(rows.frame)
    assert client.forecast(source, 2, models=["theta"]).frame.index[0] == pd.Timestamp("2016-01-31", tz="UTC")
    # The bundled series have no vintages, and current rows are never returned under an old date.
    with pytest.raises(almanac.InvalidRequestError, match="vintage"):
        client.observations(source, vintage="2015-01-01")
    assert client.estimate(source, 2, models=["theta"])["credits"] > 0


def test_a_history_is_read_across_pages(client: Almanac) -> None:
    bars = client.history("AAPL", limit=1300)
    assert list(bars.frame.columns) == ["open", "high", "low", "close", "volume"]
    assert len(bars) == 1260 and not bars.info["truncated"]
    last = client.history("AAPL", limit=7)
    assert last.info["truncated"] and last.frame.equals(bars.frame.iloc[-7:])
    assert len(client.history("AAPL", limit=None, start="2018-01-01T00:00:00Z")) < 100


def test_a_batch_forecasts_every_series_and_collects_errors(client: Almanac) -> None:
    reported: list[almanac.Progress] = []
    data = pd.DataFrame({f"s{number}": make_daily(30, level=100.0 + number) for number in range(6)})
    data.loc[data.index[2:], "s3"] = np.nan
    batch = client.forecast_many(data, 2, models=["theta"], parallel=6, progress=reported.append)
    assert list(batch) == ["s0", "s1", "s2", "s4", "s5"]
    assert list(batch.errors) == ["s3"] and "at least 3 rows" in str(batch.errors["s3"])
    assert [(item.done, item.total) for item in reported] == [(done, 6) for done in range(7)]
    assert reported[-1].failed == 1
    assert batch.frame.index.names == ["series", "day"] and batch.frame.shape == (10, 5)
    assert "s3" not in batch
    with pytest.raises(KeyError, match="s3 could not be forecast: A forecast needs at least 3 rows"):
        batch["s3"]


def test_a_long_frame_and_search_results_are_batches(client: Almanac) -> None:
    rows = make_daily(30)
    long = pd.concat([pd.DataFrame({"id": name, "ds": rows.index, "y": rows.to_numpy()}) for name in ("a", "b")])
    batch = client.forecast_many(long, 2, series="id", models=["theta"])
    assert list(batch) == ["a", "b"] and list(batch["a"].frame.columns)[0] == "ds"
    found = client.search("us-employment-", types=["economic_series"], limit=3)
    assert list(client.forecast_many(found, 1, models=["theta"])) == [item["title"] for item in found]


def test_events_are_published_revised_and_resolved(client: Almanac) -> None:
    now = datetime.now(timezone.utc)
    event = client.events.publish(
        "Will the client for Python be used by more than ten callers?",
        0.4,
        deadline=now + timedelta(days=30),
        category="software",
        entity={"type": "project", "name": "Almanac"},
        headline="Ten callers use the client for Python",
        input_cutoff_at=now - timedelta(minutes=1),
    )
    identity = event["forecast_id"]
    client.events.revise(identity, 0.6, input_cutoff_at=now)
    assert [revision["probability"] for revision in client.events.revisions(identity)] == [0.6, 0.4]
    assert identity in [item["forecast_id"] for item in client.events.list(author="me")]
    with pytest.raises(almanac.NotFoundError):
        client.events.resolution(identity)
    client.events.resolve(identity, "yes", actual_outcome="Eleven callers.", resolution_source="The log.")
    assert client.events.resolution(identity)["status"] == "resolved_yes"
    assert client.events.read(identity)["status"] == "resolved_yes"
    assert client.events.scoreboard(author="me")
    rows = make_daily(30)
    rows.index = pd.date_range(end=now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None), periods=30)
    forecast = client.forecast(rows, 5, models=["theta"])
    entity = {"type": "product", "name": "Tea"}
    preview = client.events.from_forecast(
        forecast.id, thresholds=[100.0], category="sales", entity=entity, preview=True
    )
    assert preview
    assert list(client.events.list(source_forecast_id=forecast.id)) == []


def test_filters_of_the_screener_are_previewed_saved_and_removed(client: Almanac) -> None:
    above = {"field": "close", "op": "gt", "value": 1}
    assert "close" in [field["field"] for field in client.screener.fields()]
    assert client.screener.preview(["AAPL"], all=[above])["total"] >= 0
    saved = client.screener.save("Above one", ["AAPL"], all=[above])
    assert client.screener.update(saved["id"], name="Above")["name"] == "Above"
    assert saved["id"] in [item["id"] for item in client.screener.list()]
    assert list(client.screener.matches(saved["id"])) is not None
    assert list(client.screener.sessions(saved["id"])) is not None
    client.screener.delete(saved["id"])
    with pytest.raises(almanac.NotFoundError):
        client.screener.delete(saved["id"])


def test_a_guest_forecasts_without_a_key_on_loopback(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALMANAC_KEY", raising=False)
    guest = Almanac(service.url)
    forecast = guest.forecast(make_daily(30), 2, models=["theta"])
    assert guest.read_forecast(forecast.id).id == forecast.id
    with pytest.raises(almanac.DeniedError):
        list(guest.events.list())
    with pytest.raises(almanac.NotFoundError):
        Almanac(service.url).read_forecast(forecast.id)


def test_a_forecast_that_fails_raises_its_reason(client: Almanac) -> None:
    kinds: list[str] = []

    def cancel(event: almanac.ForecastEvent) -> None:
        kinds.append(event.kind)
        if event.kind == "queued":
            latest = next(client.forecasts())
            client.cancel(latest["forecast_id"])

    with pytest.raises(almanac.ForecastFailedError) as caught:
        client.forecast(make_daily(2_000), 90, on_event=cancel)
    assert caught.value.code == "FORECAST_CANCELED"
    assert kinds[-1] == "failed"


def test_errors_of_the_service_name_the_field_and_the_remedy(client: Almanac) -> None:
    with pytest.raises(almanac.InvalidRequestError, match="^horizon: ") as caught:
        client.forecast(make_daily(30), 9_999)
    assert caught.value.request_id
    with pytest.raises(almanac.InvalidRequestError, match="daily, dated like"):
        client.forecast(make_daily(30).shift(freq=timedelta(hours=9)), 1)


async def test_the_asynchronous_client_does_the_same(service: Running) -> None:
    async with almanac.AsyncAlmanac(service.url, service.key) as client:
        forecast = await client.forecast(make_daily(30), 2, models=["theta"])
        assert (await forecast.proof).content_id.startswith("0x")
        assert (await forecast.outcome()).status == "waiting"
        assert [event.kind async for event in client.watch(forecast.id)][-1] == "completed"
        assert len(await client.history("AAPL", limit=5)) == 5
        assert (await client.search("apple", limit=1))[0]["title"]
        batch = await client.forecast_many(
            {"a": make_daily(30), "b": make_daily(2)}, 2, models=["theta"], progress=False
        )
        assert list(batch) == ["a"] and list(batch.errors) == ["b"]
        assert [item["forecast_id"] async for item in client.forecasts()][0]
        assert (await client.screener.fields())[0]["field"]


def test_the_functions_of_the_module_use_the_environment(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMANAC_URL", service.url)
    monkeypatch.setenv("ALMANAC_KEY", service.key)
    monkeypatch.setattr(almanac, "_shared", [])
    assert len(almanac.forecast(make_daily(30), 2, models=["theta"])) == 2
    assert almanac.search("apple", limit=1) and len(almanac.history("AAPL", limit=3)) == 3
