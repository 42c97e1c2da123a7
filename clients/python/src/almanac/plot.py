"""Draws the fan of a forecast with matplotlib."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Mapping, Sequence

from .errors import ArgumentError
from .labels import Labels, to_wall_clock


def draw_fan(
    predictions: Sequence[Mapping[str, Any]],
    quantiles: Sequence[str],
    history: Sequence[tuple[datetime, float]],
    title: str,
    labels: Labels,
    ax: Any,
) -> Any:
    """Draws the history, the central intervals and the median. Returns the axes."""
    try:
        import matplotlib.dates as dates
        import matplotlib.pyplot as plt
    except ImportError:
        raise ArgumentError("plot: matplotlib is not installed. Install it with almanac-client[plot].") from None

    if ax is None:
        _, ax = plt.subplots(figsize=(9, 4))
    times = [_to_axis(labels, labels.to_label(row["timestamp"])) for row in predictions]
    values = {level: [row["quantiles"][level] for row in predictions] for level in quantiles}
    past = [moment.replace(tzinfo=None) for moment, _ in history]
    if past:
        ax.plot(past, [value for _, value in history], color="#1f2937", linewidth=1.2, label="history")
    pairs = list(zip(quantiles, reversed(quantiles)))[: len(quantiles) // 2]
    for number, (low, high) in enumerate(pairs, 1):
        share = f"{float(high) - float(low):.0%} interval"
        ax.fill_between(
            times, values[low], values[high], color="#2563eb", alpha=0.12 + 0.12 * number, linewidth=0, label=share
        )
    if "0.5" in values:
        ax.plot(times, values["0.5"], color="#1d4ed8", linewidth=1.6, label="median")
    # The default labels of days overlap.
    locator = dates.AutoDateLocator()
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator))
    ax.set_title(title)
    ax.legend(loc="upper left", frameon=False)
    return ax


def _to_axis(labels: Labels, time: datetime) -> datetime:
    """Returns the wall-clock time, because matplotlib would show zones in UTC."""
    return time if time.tzinfo is None else to_wall_clock(time, labels.zone).replace(tzinfo=None)
