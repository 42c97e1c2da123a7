"""A batch of fresh series: every family makes its share of the rows, then they are shuffled, mixed and finished."""
from typing import Optional

import torch

from synthesis.draws import Draws, unit
from synthesis.families import FAMILIES

MIXED, ROUNDED, SUMMED, TURNED = 0.10, 0.08, 0.02, 0.08
LATER = ("calendar", "nested", "load", "spikes", "epidemic", "self_exciting", "sensors", "kernels")


def shares(points: int, without: Optional[str] = None, mixture: str = "second") -> dict:
    """The part of each family in rows of this length."""
    weights = {"first": first_weights, "second": second_weights}[mixture](points)
    if without is not None:
        del weights[without]
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def first_weights(points: int) -> dict:
    """Of the first checkpoint. Equal, but for what a length suggests: short rows are mostly business records, long ones
    come from clocks."""
    weights = {name: 1.0 for name in FAMILIES if name not in LATER}
    if points <= 256:
        weights.update(business=6.0, smoothing=3.0, clock=0.5)
    elif points <= 512:
        weights.update(business=3.0, smoothing=2.0, prices=1.5, clock=1.5, yearly_cycle=1.5)
    else:
        weights.update(prices=1.5, clock=3.0, yearly_cycle=2.0)
    return weights


def second_weights(points: int) -> dict:
    """Long rows are mostly days and hours, with seasons within seasons and the calendar."""
    weights = {name: 1.0 for name in FAMILIES}
    if points <= 256:
        weights.update(dict.fromkeys(LATER, 0.6), business=8.0, smoothing=4.0, clock=0.5, kernels=1.0)
    elif points <= 512:
        weights.update(business=3.0, smoothing=2.0, prices=1.5, clock=1.5, yearly_cycle=2.5, calendar=2.5, nested=1.5)
    else:
        weights.update(prices=1.5, clock=4.0, yearly_cycle=3.0, calendar=4.0, nested=4.0, load=3.0, business=0.5,
                       arima=0.7, regimes=0.7, smoothing=0.7, epidemic=0.5, self_exciting=0.7)
    if points >= 2048:
        # Only rows of several years show that a holiday returns.
        weights.update(calendar=8.0, clock=3.0, load=2.0, business=0.2)
    return weights


def rows_of_each(rows: int, share: dict) -> dict:
    """Whole rows that add up, the remainder going to the first."""
    found, begun, passed = {}, 0, 0.0
    for name, part in share.items():
        passed += part
        end = round(rows * passed)
        found[name] = end - begun
        begun = end
    return {name: count for name, count in found.items() if count}


class Mixture:
    def __init__(
        self, device: torch.device, seed: int, without: Optional[str] = None, mixture: str = "second",
        turned: float = TURNED,
    ):
        self.draws = Draws(device, seed)
        self.without, self.mixture, self.turned = without, mixture, turned

    @torch.no_grad()
    def series(self, rows: int, points: int) -> torch.Tensor:
        """(rows, points), float32, finite."""
        counts = rows_of_each(rows, shares(points, self.without, self.mixture))
        self.draws.stock.begin(rows, points)
        made = torch.cat([FAMILIES[name](self.draws, count, points) for name, count in counts.items()])
        order = torch.randperm(rows, generator=self.draws.generator, device=self.draws.device)
        return self.finished(made[order])

    def finished(self, x: torch.Tensor) -> torch.Tensor:
        """Rows are shuffled, so the first ones are as good as any drawn by chance, and cost no mask."""
        rows = x.shape[0]
        mixed, rounded, summed, turned = (int(rows * part) for part in (MIXED, ROUNDED, SUMMED, self.turned))
        if mixed:
            part = self.draws.uniform(mixed, 1, low=0.2, high=0.8)
            x[:mixed] = part * unit(x[:mixed]) + (1 - part) * unit(x[-mixed:])
        if rounded:
            chosen = x[mixed : mixed + rounded]
            step = chosen.std(-1, keepdim=True) * self.draws.log_uniform(rounded, 0.02, 0.5) + 1e-6
            x[mixed : mixed + rounded] = torch.round(chosen / step) * step
        if summed:
            begin = mixed + rounded
            x[begin : begin + summed] = sums_so_far(x[begin : begin + summed])
        if turned:
            x[-turned:] *= -1
        x = x * self.draws.log_uniform(rows, 1e-2, 1e4)
        return torch.nan_to_num(x, nan=0.0, posinf=1e8, neginf=-1e8)


def sums_so_far(x: torch.Tensor) -> torch.Tensor:
    """Totals since the beginning never fall: what is summed is how far each value is above the lowest."""
    return torch.cumsum(x - x.amin(-1, keepdim=True), -1)
