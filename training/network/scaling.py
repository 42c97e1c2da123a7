"""What is known of a series at the end of each patch: Toto's causal mean and spread, and two statistics of ours."""
from typing import NamedTuple

import torch
import torch.nn.functional as F

MIN_SCALE = 1e-6


class PatchStatistics(NamedTuple):
    """All (..., patches), float64, over the observed values up to the last position of the patch."""
    count: torch.Tensor
    mean: torch.Tensor
    scale: torch.Tensor
    last: torch.Tensor
    step: torch.Tensor


def patch_statistics(values: torch.Tensor, observed: torch.Tensor, patch: int) -> PatchStatistics:
    """Unobserved positions change nothing, so masked patches keep the statistics of what lies before them."""
    weight = observed.double()
    x = torch.where(observed, values.double(), torch.zeros((), dtype=torch.float64, device=values.device))
    count = weight.cumsum(-1)
    mean = x.cumsum(-1) / count.clamp(min=1)
    # Welford's sum: squares of a high level would cancel.
    previous_mean = F.pad(mean[..., :-1], (1, 0))
    squares = ((x - previous_mean) * (x - mean) * weight).cumsum(-1)
    variance = squares / (count - 1).clamp(min=1)

    last = last_observed(x, observed)
    # From each observed value to the observed one before it, however far back: a gap is stepped over.
    previous_last = F.pad(last[..., :-1], (1, 0))
    steps = ((x - previous_last).abs() * weight * (count >= 2)).cumsum(-1)
    step = steps / (count - 1).clamp(min=1)

    end = slice(patch - 1, None, patch)
    scale = variance[..., end].clamp(min=0).sqrt().clamp(min=MIN_SCALE)
    return PatchStatistics(count[..., end], mean[..., end], scale, last[..., end], step[..., end])


def last_observed(x: torch.Tensor, observed: torch.Tensor) -> torch.Tensor:
    """At each position the latest observed value; 0 before the first. `x` is 0 where nothing was observed."""
    position = torch.arange(x.shape[-1], device=x.device)
    latest = torch.where(observed, position, torch.zeros_like(position)).cummax(-1).values
    return x.gather(-1, latest)


def backfill_early(stats: PatchStatistics, values: torch.Tensor, observed: torch.Tensor, min_count: int) -> PatchStatistics:
    """Toto's scaler_fallback_min_obs: patches that have seen too little take the statistics of the first points.

    Not causal, and not used with anchored output; here for parity with released checkpoints.
    """
    weight = observed.double()
    first = weight * (weight.cumsum(-1) <= min_count)
    n = first.sum(-1, keepdim=True).clamp(min=1)
    x = torch.where(observed, values.double(), torch.zeros((), dtype=torch.float64, device=values.device))
    mean = (x * first).sum(-1, keepdim=True) / n
    variance = ((x - mean) ** 2 * first).sum(-1, keepdim=True) / (n - 1).clamp(min=1)
    early = stats.count < min_count
    return stats._replace(
        mean=torch.where(early, mean, stats.mean),
        scale=torch.where(early, variance.sqrt().clamp(min=MIN_SCALE), stats.scale),
    )
