"""Scores by group and by file, in the published definition, as a table."""
import numpy as np

from evaluation.peers import naive, seasonal_naive
from evaluation.predict import predict
from evaluation.published import PublishedScores, published_scores
from network.config import KNOTS
from network.network import Network

HEADS = ("MASE", "WQL", "sMAPE", "cover80", "naive", "seasonal")


def scores(network: Network, series: list) -> dict:
    """By group, and by file ("m3-dev all"): the scores, and the MASE of the peers."""
    network.eval()
    groups: dict = {}
    for pair in zip(series, predict(network, series)):
        group = pair[0].group
        groups.setdefault(group, []).append(pair)
        if not group.startswith("simulated"):
            groups.setdefault(group.rsplit(" ", 1)[0] + " all", []).append(pair)
    return {name: scores_of_group(pairs) for name, pairs in sorted(groups.items())}


def scores_of_group(pairs: list) -> tuple:
    series = [one for one, _ in pairs]
    found = published_scores(series, [knots for _, knots in pairs])
    return found, *(published_scores(series, [flat(peer(one)) for one in series]).mase for peer in (naive, seasonal_naive))


def flat(points: np.ndarray) -> np.ndarray:
    """A point forecast as nine equal knots."""
    return np.repeat(points[:, None], len(KNOTS), axis=1)


def table(found: dict) -> str:
    """One line a group; the last two columns are the MASE of the last value and of the last season."""
    lines = [f"{'group':<24}{'n':>6}" + "".join(f"{head:>9}" for head in HEADS)]
    for name, (of_network, *peers) in found.items():
        lines.append(f"{name:<24}{of_network.count:>6}{cells(of_network)}" + "".join(f"{mase:>9.4f}" for mase in peers))
    return "\n".join(lines)


def cells(one: PublishedScores) -> str:
    return f"{one.mase:>9.4f}{one.wql:>9.4f}{one.smape:>9.3f}{one.cover80:>9.1f}"
