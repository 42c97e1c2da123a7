"""Scores by group and by file, as a table."""
import numpy as np

from evaluation.measures import MEASURES, measures
from evaluation.peers import naive, seasonal_naive
from evaluation.predict import predict
from evaluation.series_file import Series
from network.config import KNOTS
from network.network import Network


def scores(network: Network, series: list) -> dict:
    """By group, and by file ("m3-dev all"): the count, the measures, and sMAPE and MASE of the peers."""
    network.eval()
    groups: dict = {}
    for one, knots in zip(series, predict(network, series)):
        row = measures(one, knots) + flat(one, naive(one)) + flat(one, seasonal_naive(one))
        groups.setdefault(one.group, []).append(row)
        whole = one.group.rsplit(" ", 1)[0] + " all"
        if not one.group.startswith("simulated"):
            groups.setdefault(whole, []).append(row)
    return {name: (len(rows), np.mean(rows, axis=0)) for name, rows in sorted(groups.items())}


def flat(series: Series, points: np.ndarray) -> tuple:
    """A point forecast as nine equal knots: sMAPE and MASE only."""
    return measures(series, np.repeat(points[:, None], len(KNOTS), axis=1))[:2]


def table(found: dict) -> str:
    """One line a group; the peers' columns are sMAPE/MASE."""
    head = f"{'group':<20}{'n':>6}" + "".join(f"{name:>9}" for name in MEASURES) + f"{'naive':>15}{'seasonal':>15}"
    lines = [head]
    for name, (count, means) in found.items():
        smape, mase, pinball, cover, *peers = means
        lines.append(
            f"{name:<20}{count:>6}{smape:>9.3f}{mase:>9.4f}{pinball:>9.4f}{cover:>9.1f}"
            f"{peers[0]:>9.2f}/{peers[1]:.3f}{peers[2]:>9.2f}/{peers[3]:.3f}"
        )
    return "\n".join(lines)
