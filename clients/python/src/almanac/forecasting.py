"""Forecasts as flows. Both clients run them, so each is written once.

A flow gets the settings first. The clients pass them; callers see the other arguments.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Callable, Mapping, Sequence

from .account import read_usage
from .errors import AlmanacError, ArgumentError, ForecastFailedError, LimitedError
from .flow import Flow, Items, Pause, create_idempotency_key, get, post, segment
from .frames import Series, is_source, read_series
from .labels import Labels, format_time
from .pages import read_pages
from .result import Proof, Result
from .retry import is_temporary
from .send import send
from .settings import Settings
from .types import Estimate
from .watch import ForecastEvent, watch

#: How often a forecast is read if its events cannot be followed, and a missing slot is looked for.
POLL_SECONDS = 2.0

#: An instant, a date, or days before the last row.
Cutoff = str | int | date | datetime
#: A series of pandas, a frame of any library, a list of pairs of a time and a value, or the source of a search result.
Data = Any


def forecast(
    settings: Settings,
    data: Data,
    h: int,
    *,
    time: str | None = None,
    value: str | None = None,
    quantiles: Sequence[float] | None = None,
    mode: str | None = None,
    models: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    frequency: str | None = None,
    cutoff: Cutoff | None = None,
    as_known_at_cutoff: bool | None = None,
    settle_days: int | None = None,
    transform: str | None = None,
    limit: int | None = None,
    seed: int | None = None,
    title: str | None = None,
    visibility: str | None = None,
    workspace_id: str | None = None,
    idempotency_key: str | None = None,
    on_event: Callable[[ForecastEvent], object] | None = None,
) -> Flow[Result]:
    """Forecasts the next `h` periods of a series and waits for the result.

    The result is a frame with a column for each quantile. Its index continues that of the rows, in the same zone. The
    service infers the frequency, which the result states.

    Args:
        data: a series or a frame of pandas, a frame of another library with the dataframe protocol (such as polars),
            a list of pairs of a time and a value, or the `source` of a search result. Rows without a value are left
            out.
        h: the number of periods, from 1 to 365.
        time: the column with the times. Default: the index, or the only column with datetimes.
        value: the column with the values. Default: the only column with numbers.
        quantiles: up to 21 levels from 0.001 to 0.999. Default: 0.1, 0.25, 0.5, 0.75 and 0.9.
        mode: `full` or `fast`. The fast mode skips the tests on the past: it takes less time and fewer credits, and
            its intervals are not calibrated to the series. It cannot be combined with models or weights. Default: `full`.
        models: ids of models that compete. Default: those that help on series of this frequency.
        weights: a number for each model. Default: chosen from the past.
        frequency: such as `1D`, if it should not be inferred. It must not contradict the rows.
        cutoff: the instant after which no row is read, or the number of days before the last row.
        as_known_at_cutoff: reads the values that were known at the cutoff, of series with vintages.
        settle_days: days until a value counts in the outcome, for series that are revised.
        transform: `auto`, `none` or `log`.
        limit: uses only the last rows.
        seed: an integer. The same request with the same seed gives the same digits.
        title: a name for the forecast.
        visibility: `private`, `workspace` or `public`.
        workspace_id: the workspace that the forecast belongs to.
        idempotency_key: repeats a call safely even after the program was started again. Default: a random one for
            each call, which all attempts share.
        on_event: called with each event, such as the progress.
    """
    body, series = _build_request(
        data,
        h,
        time,
        value,
        quantiles,
        mode,
        models,
        weights,
        frequency,
        cutoff,
        as_known_at_cutoff,
        settle_days,
        transform,
        limit,
        seed,
    )
    body.update(title=title, visibility=visibility, workspace_id=workspace_id)
    key = idempotency_key if idempotency_key is not None else create_idempotency_key()
    created = yield from send(settings, post("createForecast", "/v1/ensemble-forecasts", body, idempotency_key=key))
    raw = yield from _wait(settings, created["forecast_id"], on_event)
    return Result(raw, series)


def forecast_when_possible(settings: Settings, /, *args: Any, **options: Any) -> Flow[Result]:
    """Waits for a free slot and then forecasts, for one of several series."""
    key = options.pop("idempotency_key", None) or create_idempotency_key()
    while True:
        try:
            return (yield from forecast(settings, *args, idempotency_key=key, **options))
        except LimitedError as error:
            if error.code != "QUOTA_EXCEEDED":
                raise
            usage = yield from read_usage(settings)
            # Credits do not come back within minutes, but a slot becomes free with the end of a forecast.
            credits = usage.get("credits", {}).get("left")
            if credits is not None and credits <= 0:
                raise
            if usage.get("slots", {}).get("left", 1) > 0 and usage.get("slots", {}).get("used", 0) == 0:
                raise
        yield Pause(POLL_SECONDS)


def estimate(
    settings: Settings,
    data: Data,
    h: int,
    *,
    time: str | None = None,
    value: str | None = None,
    quantiles: Sequence[float] | None = None,
    mode: str | None = None,
    models: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    frequency: str | None = None,
    cutoff: Cutoff | None = None,
    limit: int | None = None,
) -> Flow[Estimate]:
    """Returns the price of a forecast, and warnings about its rows. Stores nothing."""
    body, _ = _build_request(
        data, h, time, value, quantiles, mode, models, weights, frequency, cutoff, None, None, None, limit, None
    )
    request = post("estimateForecast", "/v1/ensemble-forecasts/estimate", body, can_repeat=True)
    found: Estimate = yield from send(settings, request)
    return found


def read_forecast(settings: Settings, forecast_id: str) -> Flow[Result]:
    """Waits for a forecast by its id or slug, and returns it. Its index is in UTC."""
    return Result((yield from _wait(settings, forecast_id, None)))


def list_forecasts(
    settings: Settings,
    *,
    q: str | None = None,
    status: str | None = None,
    source: str | None = None,
    model: str | None = None,
    sort: str | None = None,
    order: str | None = None,
    workspace_id: str | None = None,
) -> Items[dict[str, Any]]:
    """Yields the caller's forecasts without their results. Pages are read when they are needed."""
    query = {"q": q, "status": status, "source": source, "model": model, "sort": sort, "order": order}
    query["workspace_id"] = workspace_id
    yield from read_pages(settings, "listForecasts", "/v1/ensemble-forecasts", query, "forecasts")


def watch_forecast(settings: Settings, forecast_id: str, *, last_event_id: str | None = None) -> Items[ForecastEvent]:
    """Yields the events of a forecast until its last one, also across connections that break."""
    yield from watch(settings, forecast_id, last_event_id=last_event_id)


def cancel_forecast(settings: Settings, forecast_id: str) -> Flow[dict[str, Any]]:
    """Cancels an unfinished forecast."""
    path = f"/v1/ensemble-forecasts/{segment('forecast_id', forecast_id)}/cancel"
    canceled: dict[str, Any] = yield from send(settings, post("cancelForecast", path, can_repeat=True))
    return canceled


def delete_forecast(settings: Settings, forecast_id: str) -> Flow[None]:
    """Deletes a forecast with its result.

    If the first reply was lost, the next attempt raises a NotFoundError whose `attempts` is greater than 1.
    """
    path = f"/v1/ensemble-forecasts/{segment('forecast_id', forecast_id)}"
    yield from send(settings, post("deleteForecast", path, method="DELETE", can_repeat=True))


def read_proof(settings: Settings, forecast_id: str) -> Flow[Proof]:
    path = f"/v1/ensemble-forecasts/{segment('forecast_id', forecast_id)}/proof"
    return Proof((yield from send(settings, get("readForecastProof", path))))


def read_outcome(settings: Settings, forecast_id: str) -> Flow[dict[str, Any]]:
    path = f"/v1/ensemble-forecasts/{segment('forecast_id', forecast_id)}/outcome"
    outcome: dict[str, Any] = yield from send(settings, get("readOutcome", path))
    return outcome


def record_outcome(
    settings: Settings, forecast_id: str, labels: Labels, data: Data, time: str | None, value: str | None
) -> Flow[dict[str, Any]]:
    """Records actual values. An equal value can be sent again, so the request is repeated after a failure."""
    series = read_series(data, time, value)
    if not series.labels.are_days and labels.are_days:
        raise ArgumentError(
            "data: its times are not days, as those of the forecast are. Pass rows with the same index."
        )
    # A few rows do not show how they are labeled, but those of the forecast did.
    points = [
        {"timestamp": labels.to_service(moment), "value": number}
        for moment, number in zip(series.moments, series.values)
    ]
    path = f"/v1/ensemble-forecasts/{segment('forecast_id', forecast_id)}/outcome"
    outcome: dict[str, Any] = yield from send(
        settings, post("recordOutcome", path, {"points": points}, can_repeat=True)
    )
    return outcome


def _wait(
    settings: Settings, forecast_id: str, on_event: Callable[[ForecastEvent], object] | None
) -> Flow[Mapping[str, Any]]:
    """Follows a forecast to its end. If a proxy holds streams back, it is read again and again."""
    try:
        follow = watch(settings, forecast_id, on_event=on_event if on_event is not None else lambda _: None)
        # With `on_event`, nothing is handed to a caller that iterates.
        yield from follow  # type: ignore[misc]
    except AlmanacError as error:
        if not is_temporary(error):
            raise
    path = f"/v1/ensemble-forecasts/{segment('forecast_id', forecast_id)}"
    while True:
        raw: Mapping[str, Any] = yield from send(settings, get("readForecast", path))
        if raw["status"] == "failed":
            raise ForecastFailedError(raw)
        if raw["status"] == "completed":
            return raw
        yield Pause(POLL_SECONDS)


def _build_request(
    data: Data,
    h: int,
    time: str | None,
    value: str | None,
    quantiles: Sequence[float] | None,
    mode: str | None,
    models: Sequence[str] | None,
    weights: Mapping[str, float] | None,
    frequency: str | None,
    cutoff: Cutoff | None,
    as_known_at_cutoff: bool | None,
    settle_days: int | None,
    transform: str | None,
    limit: int | None,
    seed: int | None,
) -> tuple[dict[str, Any], Series | None]:
    if isinstance(h, bool) or not hasattr(h, "__index__"):
        raise ArgumentError("h: must be a whole number of periods.")
    if isinstance(models, str):
        raise ArgumentError("models: must be a list of ids. Put the id in brackets.")
    if is_source(data):
        if time is not None or value is not None:
            raise ArgumentError("time and value: a source has no columns. Put its value_field into the source.")
        series, source = None, dict(data)
    else:
        series = read_series(data, time, value)
        source = series.to_source()
    body = {
        "source": source,
        "horizon": h.__index__(),
        "quantiles": None if quantiles is None else [float(level) for level in quantiles],
        "mode": mode,
        "models": None if models is None else list(models),
        "weight_mode": None if weights is None else "manual",
        "weights": None if weights is None else {model: float(weight) for model, weight in weights.items()},
        "frequency": frequency,
        "cutoff": _format_cutoff(cutoff, series),
        "as_known_at_cutoff": as_known_at_cutoff,
        "settle_days": settle_days,
        "transform": transform,
        "limit": limit,
        "seed": seed,
    }
    return body, series


def _format_cutoff(cutoff: Cutoff | None, series: Series | None) -> str | int | None:
    """Formats a cutoff. That of a series of days is a day in the zone of its index."""
    if isinstance(cutoff, datetime) and series is not None and series.labels.are_days:
        return f"{cutoff.date().isoformat()}T{cutoff.time().isoformat(timespec='milliseconds')}Z"
    return cutoff if isinstance(cutoff, int) else format_time(cutoff)
