"""Pinball loss of the nine knots, in the space the network speaks."""
import torch

from learning.batch import Batch
from network.config import KNOTS
from network.network import Attended, Network
from network.scaling import patch_statistics

MIN_SEEN = 4    # values a forecast may be asked from
MAX_TARGET = 12  # e^12 units: what starts to move after a flat stretch
MIN_WIDTH = 0.03  # of an interval, for weights: what is narrower counts no more than this


def pinball_loss(network: Network, batch: Batch, trunk_dtype: torch.dtype, sharpness: float = 0.0) -> torch.Tensor:
    """Mean over knots and over every observed value of every next patch, hidden or not.

    A pinball gradient has the same size whatever the error, so no row can drown the others. But regular series, whose
    errors are small in any case, then gain little from a forecast twice as good. Scores divide by what an easy forecast
    of the same series misses; so does a `sharpness` above 0: each patch is divided by that power of its own 80 %
    interval. The weight follows from the context alone and has no gradient, so quantiles stay quantiles.
    """
    patch = network.config.patch_size
    visible = batch.seen & ~batch.hidden.repeat_interleave(patch, 1)
    stats = patch_statistics(batch.values, visible, patch)
    device = batch.values.device.type
    with torch.autocast(device, dtype=torch.bfloat16, enabled=trunk_dtype == torch.bfloat16):
        out = network(batch.values, visible, stats, Attended(batch.group_ids))
    location, unit = network.location_and_unit(stats)
    following = batch.values.double().unflatten(-1, (-1, patch))[:, 1:]
    moved = ((following - location[:, :-1, None]) / unit[:, :-1, None]).float()
    target = moved.asinh().clamp(-MAX_TARGET, MAX_TARGET)
    counts = batch.seen.unflatten(-1, (-1, patch))[:, 1:] & (stats.count[:, :-1, None] >= MIN_SEEN)
    if batch.group_ids is not None:
        counts = counts & (batch.group_ids[:, :-1, None] == 0)
    error = target[..., None] - out[:, :-1]
    knots = knots_on(error.device)
    pinball = 2 * torch.maximum(knots * error, (knots - 1) * error).mean(-1)
    if sharpness:
        counts = counts * patch_weights(out[:, :-1], sharpness)
    return (pinball * counts).sum() / counts.sum().clamp(min=1)


@torch.no_grad()
def patch_weights(out: torch.Tensor, sharpness: float) -> torch.Tensor:
    """(rows, patches, 1), by the width of the forecast of each patch."""
    knots = out.float().sort(-1).values
    width = (knots[..., -1] - knots[..., 0]).mean(-1, keepdim=True)
    return (width + MIN_WIDTH) ** -sharpness


_KNOTS: dict = {}


def knots_on(device: torch.device) -> torch.Tensor:
    """Kept on the device: copying nine numbers at each step would make it wait."""
    if device not in _KNOTS:
        _KNOTS[device] = torch.tensor(KNOTS, device=device)
    return _KNOTS[device]
