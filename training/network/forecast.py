"""From a history to quantiles: one pass over the context and as many masked patches as the horizon needs."""
import math
from typing import Optional

import torch

from network.config import KNOTS
from network.network import Attended, Network
from network.scaling import backfill_early, patch_statistics
from network.switches import MAX_OUTPUT


@torch.no_grad()
def forecast(
    network: Network,
    target: torch.Tensor,
    mask: torch.Tensor,
    horizon: int,
    series_ids: Optional[torch.Tensor] = None,
    fallback_min_obs: int = 0,
    cap_k: float = 0.0,
) -> torch.Tensor:
    """target, mask (batch, variates, points), points a multiple of the patch -> (batch, variates, horizon, knots).

    `fallback_min_obs` and `cap_k` are for released checkpoints; with anchored output both stay 0.
    """
    patch = network.config.patch_size
    batch, variates, points = target.shape
    ahead = math.ceil(horizon / patch)
    context = points // patch
    if series_ids is None:
        series_ids = torch.zeros(batch, variates, dtype=torch.long, device=target.device)
    if not network.config.almanac_anchored_output:
        mask = mark_last_patch(mask, patch)
    rows = batch * variates
    # The last forecast patch comes from the token before it, so it needs no token of its own.
    padding = torch.zeros(rows, (ahead - 1) * patch, device=target.device)
    values = torch.cat([target.reshape(rows, points), padding.to(target.dtype)], -1)
    observed = torch.cat([mask.reshape(rows, points).bool(), padding.bool()], -1)

    stats = patch_statistics(values, observed, patch)
    if fallback_min_obs:
        stats = backfill_early(stats, values, observed, fallback_min_obs)
    groups = group_ids(observed, series_ids.reshape(rows), patch, context, network.config.almanac_anchored_output)
    out = network(values, observed, stats, Attended(groups, variates))[:, context - 1 :].double()
    location, unit = network.location_and_unit(stats)
    if network.config.almanac_anchored_output:
        out = out.clamp(-MAX_OUTPUT, MAX_OUTPUT)
    knots = torch.sinh(out) * unit[:, context - 1 :, None, None] + location[:, context - 1 :, None, None]
    knots = knots.flatten(1, 2)[:, :horizon]
    if cap_k:
        knots = capped(knots, values, observed, stats.scale[:, context - 1], cap_k)
    return knots.sort(-1).values.reshape(batch, variates, horizon, len(KNOTS))


def mark_last_patch(mask: torch.Tensor, patch: int) -> torch.Tensor:
    """As the original does: the last context patch counts as observed throughout, whatever was filled in."""
    mask = mask.clone()
    mask[..., -patch:] = True
    return mask


def group_ids(
    observed: torch.Tensor, series_ids: torch.Tensor, patch: int, context: int, anchored: bool
) -> torch.Tensor:
    """The id of the series at each patch, or -1 where a context patch has no observed value.

    With anchored output, empty patches after the last observed value are as much part of the horizon as those asked
    for, and keep the id.
    """
    seen = observed.unflatten(-1, (-1, patch)).any(-1)
    empty = ~seen
    empty[:, context:] = False
    if anchored:
        seen_later = seen.flip(-1).cumsum(-1).flip(-1) > 0
        empty &= seen_later
    return torch.where(empty, torch.full_like(series_ids, -1)[:, None], series_ids[:, None])


def capped(
    knots: torch.Tensor, values: torch.Tensor, observed: torch.Tensor, scale: torch.Tensor, k: float
) -> torch.Tensor:
    """Within k spreads of what was seen: quantile_real_cap_k of the original's callers."""
    x = values.double()
    low = torch.where(observed, x, torch.full_like(x, math.inf)).amin(-1) - k * scale
    high = torch.where(observed, x, torch.full_like(x, -math.inf)).amax(-1) + k * scale
    return torch.minimum(torch.maximum(knots, low[:, None, None]), high[:, None, None])
