"""Knots for many histories of different lengths, in batches of like ones."""
import math

import numpy as np
import torch

from network.forecast import forecast
from network.network import Network

MAX_CONTEXT = 4096
BATCH = 256


def predict(network: Network, series: list) -> list:
    """(horizon, 9) for each series. Zero-shot: nothing is fitted or chosen."""
    order = sorted(range(len(series)), key=lambda i: (len(series[i].actuals), len(series[i].history)))
    found: list = [None] * len(series)
    for begin in range(0, len(order), BATCH):
        chosen = order[begin : begin + BATCH]
        knots = predict_together(network, [series[i] for i in chosen])
        for i, values in zip(chosen, knots):
            found[i] = values[: len(series[i].actuals)]
    return found


def predict_together(network: Network, series: list) -> np.ndarray:
    """Histories end together; the shorter ones are padded on the left as unobserved."""
    patch = network.config.patch_size
    anchored = network.config.almanac_anchored_output
    histories = [prepared(one.history, patch, anchored) for one in series]
    points = math.ceil(max(len(history) for history in histories) / patch) * patch
    values, observed = np.zeros((len(series), 1, points)), np.zeros((len(series), 1, points), dtype=bool)
    for row, history in enumerate(histories):
        start, seen = points - len(history), ~np.isnan(history)
        whole = np.where(seen, history, 0.0) if anchored else filled(history)
        # Without anchored output the last patch counts as observed throughout, padding too: zeros would be seen.
        values[row, 0, :start] = 0.0 if anchored else whole[0]
        values[row, 0, start:], observed[row, 0, start:] = whole, seen
    device = next(network.parameters()).device
    horizon = max(len(one.actuals) for one in series)
    released = {} if anchored else {"fallback_min_obs": 8, "cap_k": 1e4}
    target, mask = torch.tensor(values, device=device), torch.tensor(observed, device=device)
    knots = forecast(network, target, mask, horizon, **released)
    return knots[:, 0].cpu().numpy()


def prepared(history: np.ndarray, patch: int, anchored: bool) -> np.ndarray:
    """Released checkpoints want whole patches from the first on and drop what is over; ours keeps every value."""
    history = history[-MAX_CONTEXT:]
    if anchored or len(history) < patch:
        return history
    return history[len(history) % patch :]


def filled(history: np.ndarray) -> np.ndarray:
    """Missing values as the last one before them, or the first after."""
    seen = ~np.isnan(history)
    latest = np.maximum.accumulate(np.where(seen, np.arange(len(history)), -1))
    first = history[seen][0] if seen.any() else 0.0
    return np.where(latest >= 0, history[latest], first)
