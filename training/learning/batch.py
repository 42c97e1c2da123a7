"""What a training step sees of a batch of series: gaps, starts within a patch, and stretches hidden to be forecast."""
from typing import NamedTuple, Optional

import torch

LONGEST_HIDDEN = 24  # patches: 384 points at patch 16


class Batch(NamedTuple):
    """values, seen (rows, points): what there is. hidden (rows, patches): what the network must forecast.

    group_ids (rows, patches) or None: -1 where a whole patch is missing, as the runtime marks it.
    """
    values: torch.Tensor
    seen: torch.Tensor
    hidden: torch.Tensor
    group_ids: Optional[torch.Tensor]


def make_batch(values: torch.Tensor, patch: int, with_gaps: bool, draws: torch.Generator) -> Batch:
    """`with_gaps` adds stretches of missing values, whole patches too, and late starts.

    Those need an explicit attention mask, which is slower, so few steps have them. Elsewhere a row starts in its first
    patch: positions are relative, so a late start would only be the same row moved.
    """
    rows, points = values.shape
    patches = points // patch
    seen = ~(late_start(rows, points, patch, draws, values.device) | scattered(rows, points, draws, values.device))
    hidden = hidden_patches(rows, patches, draws, values.device)
    if not with_gaps:
        return Batch(values, seen, hidden, None)
    seen = seen & ~gaps(rows, points, draws, values.device)
    empty = ~seen.unflatten(-1, (-1, patch)).any(-1) & ~hidden
    return Batch(values, seen, hidden, torch.where(empty, -1, 0))


def uniform(draws: torch.Generator, device: torch.device, *shape: int) -> torch.Tensor:
    return torch.rand(*shape, generator=draws, device=device)


def late_start(rows: int, points: int, patch: int, draws: torch.Generator, device: torch.device) -> torch.Tensor:
    """A history is padded on the left to whole patches: any number of points of the first may be unobserved."""
    start = torch.floor(uniform(draws, device, rows, 1) * patch)
    start = torch.where(uniform(draws, device, rows, 1) < 0.2, torch.zeros_like(start), start)
    return torch.arange(points, device=device)[None] < start


def scattered(rows: int, points: int, draws: torch.Generator, device: torch.device) -> torch.Tensor:
    """Single missing values in one row of eight, sometimes few and sometimes a third of all."""
    rate = uniform(draws, device, rows, 1) ** 2 * 0.35 * (uniform(draws, device, rows, 1) < 0.125)
    return uniform(draws, device, rows, points) < rate


def gaps(rows: int, points: int, draws: torch.Generator, device: torch.device) -> torch.Tensor:
    """Two stretches anywhere in half of the rows, and a late start of whole patches in the other half."""
    place = torch.arange(points, device=device)[None]
    missing = torch.zeros(rows, points, dtype=torch.bool, device=device)
    broken = uniform(draws, device, rows, 1) < 0.5
    for _ in range(2):
        start = uniform(draws, device, rows, 1) * points
        length = uniform(draws, device, rows, 1) ** 3 * points * 0.4
        missing |= broken & (place >= start) & (place < start + length)
    start = uniform(draws, device, rows, 1) * points * 0.8
    return missing | (~broken & (place < start))


def hidden_patches(rows: int, patches: int, draws: torch.Generator, device: torch.device) -> torch.Tensor:
    """Runs of patches to be forecast in one pass, the first of them from the last visible patch.

    About one run per 32 patches; mostly 1 to 4 patches long, at times as long as users ask for. A quarter of the rows
    have one run only: at use all of the context is visible.
    """
    place = torch.arange(patches, device=device)[None]
    hidden = torch.zeros(rows, patches, dtype=torch.bool, device=device)
    many = uniform(draws, device, rows, 1) < 0.75
    longest = max(1.0, min(LONGEST_HIDDEN, patches / 2))
    for run in range(max(1, patches // 32)):
        start = torch.floor(uniform(draws, device, rows, 1) * (patches + 1))
        short = 1 + torch.floor(4 * uniform(draws, device, rows, 1) ** 2)
        long = torch.floor(longest ** uniform(draws, device, rows, 1))
        length = torch.where(uniform(draws, device, rows, 1) < 0.6, short, long)
        of_run = (place >= start) & (place < start + length)
        hidden |= of_run if run == 0 else of_run & many
    return hidden
