"""The result of a forecast, as everything that is done with it without the service."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timezone
from pathlib import Path
from typing import Any, Mapping, Sequence

from .frames import Series
from .framed import Framed
from .labels import Labels, read_instant
from .tables import PlainShape, Shape, build_plain_table


@dataclass(frozen=True)
class Scores:
    """How a forecast of the audit window compares with what came."""

    rows: int
    mae: float | None
    rmse: float | None
    smape: float | None
    average_wql: float | None
    #: The share of rows inside each central interval, such as `{0.8: 0.83}`.
    coverage: Mapping[float, float]


@dataclass(frozen=True)
class Audit:
    """What the audit window shows. It chose nothing, neither the weights nor the width of the fan."""

    #: `completed`, or why there are no scores, such as `insufficient_history`.
    status: str
    start: str | None
    end: str | None
    #: The scores of the ensemble; None if nothing could be scored.
    scores: Scores | None
    #: The scores of equal weights on the same rows; None with manual weights.
    equal_weights: Scores | None

    def __str__(self) -> str:
        if self.scores is None or self.scores.rows == 0:
            return f"Nothing could be scored ({self.status}). Pass more rows to see what the forecast is worth."
        scores = self.scores
        first = f"On {scores.rows} rows that chose nothing, the mean absolute error was {_format(scores.mae)}."
        parts = [f"{share:.0%} of them in the {level:.0%} interval" for level, share in sorted(scores.coverage.items())]
        return first + (f" It had {' and '.join(parts)}." if parts else "")


@dataclass(frozen=True)
class Member:
    """A member model of the ensemble."""

    model: str
    #: `completed`, `left_out` or `failed`.
    status: str
    reason: str | None
    error: Mapping[str, Any] | None
    #: What the model alone predicts; None if it failed or was not fitted.
    frame: Any


class Proof(dict[str, Any]):
    """The proof of a forecast with its receipt."""

    @property
    def content_id(self) -> str:
        return str(self["content_cid"])

    def save(self, path: str | Path) -> None:
        """Writes the proof to a file, which `almanac proof verify FILE` checks without the service."""
        Path(path).write_text(json.dumps(self, ensure_ascii=False), encoding="utf-8")


class Outcome(Framed):
    """The actual values that are recorded so far beside the predicted quantiles."""

    def __init__(self, raw: Mapping[str, Any], quantiles: Sequence[str], labels: Labels, shape: Shape) -> None:
        self.raw = raw
        #: `waiting`, `partial`, `complete` or `unavailable`.
        self.status = str(raw["status"])
        self.reason: str | None = raw.get("reason")
        self.mae: float | None = raw.get("mae")
        self.average_wql: float | None = raw.get("average_wql")
        #: The quantile loss divided by that of the seasonal naive forecast: below 1 is better.
        self.relative_wql: float | None = raw.get("relative_wql")
        rows = raw["rows"]
        columns: dict[str, list[Any]] = {"actual": [row["actual"] for row in rows]}
        for quantile in quantiles:
            columns[quantile] = [row["quantiles"].get(quantile) for row in rows]
        self.frame = shape.build(labels, [row["timestamp"] for row in rows], columns)

    def __repr__(self) -> str:
        return f"Outcome: {self.status}, {len(self)} rows\n{self.frame!r}"


class Result(Framed):
    """A completed forecast: a frame with a column for each quantile, whose index continues the caller's."""

    def __init__(self, raw: Mapping[str, Any], series: Series | None = None) -> None:
        #: The forecast as the service returns it.
        self.raw = raw
        self._series = series
        self._labels = series.labels if series is not None else Labels(timezone.utc)
        self._shape: Shape = series.shape if series is not None else PlainShape()
        self.id = str(raw["forecast_id"])
        self.slug = str(raw["slug"])
        self.name = str(raw["name"])
        settings = raw["settings"]
        #: The frequency that the service found, or that the request named.
        self.frequency = str(settings["frequency"])
        self.horizon = int(settings["horizon"])
        #: The columns, from the lowest to the highest level.
        self.quantiles = [_column(level) for level in sorted(settings["quantiles"])]
        #: The season in periods; None if there is none.
        self.season: int | None = raw["season"] if raw.get("season") not in (None, 1) else None
        #: What was inferred or changed, one sentence each.
        self.notes = list(series.notes) if series is not None else []
        request = raw["request"]
        # Series of the service state their frequency.
        if "frequency" not in request and request["source"]["type"] in ("inline", "workspace_csv"):
            self.notes.insert(0, f"frequency: {self.frequency}, inferred by the service.")
        self.frame = self._build_frame(raw["predictions"])

    @property
    def weights(self) -> Any:
        """The weights with which the member models were pooled: a row for each model, a column for each quantile."""
        by_quantile: Mapping[str, Mapping[str, float]] = self.raw["effective_weights_by_quantile"]
        models = [member["model"] for member in self.raw["members"]]
        columns = {level: [by_quantile.get(level, {}).get(model, 0.0) for model in models] for level in self.quantiles}
        return build_plain_table("model", models, columns)

    @property
    def audit(self) -> Audit:
        validation = self.raw.get("historical_validation") or {"status": "not_run"}
        weighting = self.raw.get("weighting") or {}
        return Audit(
            status=validation["status"],
            start=validation.get("validation_start_at"),
            end=validation.get("validation_end_at"),
            scores=_read_scores(validation.get("metrics") or weighting.get("audit_metrics")),
            equal_weights=_read_scores(weighting.get("baseline_audit_metrics")),
        )

    @property
    def members(self) -> dict[str, Member]:
        """The member models by id, also those that failed or were left out."""
        return {
            member["model"]: Member(
                model=member["model"],
                status=member["status"],
                reason=member.get("reason"),
                error=member.get("error"),
                frame=self._build_frame(member["predictions"]) if member.get("predictions") else None,
            )
            for member in self.raw["members"]
        }

    def plot(self, *, ax: Any = None, rows: int | None = None) -> Any:
        """Draws the fan after the last rows of the history, and returns the axes of matplotlib.

        `rows` is the number of rows of the history; by default, three times the horizon, and at least 30.
        """
        from .plot import draw_fan

        shown = max(30, 3 * self.horizon) if rows is None else rows
        history = []
        if self._series is not None and shown > 0:
            history = sorted(zip(self._series.moments, self._series.values))[-shown:]
        return draw_fan(self.raw["predictions"], self.quantiles, history, self.name, self._labels, ax)

    def to_columns(self) -> dict[str, list[Any]]:
        """Returns the predictions as lists: the times in UTC, and the values of each quantile."""
        predictions = self.raw["predictions"]
        columns: dict[str, list[Any]] = {"timestamp": [read_instant(row["timestamp"]) for row in predictions]}
        for level in self.quantiles:
            columns[level] = [row["quantiles"].get(level) for row in predictions]
        return columns

    def __repr__(self) -> str:
        models = [member["model"] for member in self.raw["members"] if member["status"] == "completed"]
        head = f"{self.name} ({self.frequency}) by {', '.join(models)}"
        return "\n".join([head, *self.notes, repr(self.frame)])

    def _build_outcome(self, raw: Mapping[str, Any]) -> Outcome:
        return Outcome(raw, self.quantiles, self._labels, self._shape)

    def _build_frame(self, predictions: Sequence[Mapping[str, Any]]) -> Any:
        columns = {level: [row["quantiles"].get(level) for row in predictions] for level in self.quantiles}
        return self._shape.build(self._labels, [row["timestamp"] for row in predictions], columns)


def _column(level: float) -> str:
    """Returns the name of a quantile as the service writes it."""
    return repr(float(level))


def _read_scores(metrics: Mapping[str, Any] | None) -> Scores | None:
    if metrics is None:
        return None
    coverage = {float(level): share for level, share in metrics["coverage"].items()}
    return Scores(metrics["count"], metrics["mae"], metrics["rmse"], metrics["smape"], metrics["average_wql"], coverage)


def _format(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.4g}"
