"""Shares, loads and measurements with a floor or a ceiling that the series rests on."""
import torch

from synthesis.draws import Draws, choose, unit
from synthesis.pieces import noise, trend, walk, wandering
from synthesis.seasons import any_season


def bounded(draws: Draws, rows: int, points: int) -> torch.Tensor:
    x = draws.sometimes(rows, 0.7, 0.3, 2) * draws.part(any_season, rows, points)
    x = x + draws.sometimes(rows, 0.3, 0.2, 1.5) * draws.part(trend, rows, points)
    x = x + draws.sometimes(rows, 0.3, 0.2, 1.5) * draws.part(walk, rows, points)
    x = x + draws.log_uniform(rows, 0.1, 1) * draws.part(wandering, rows, points)
    z = unit(x)
    small = draws.log_uniform(rows, 0.005, 0.2) * draws.part(noise, rows, points)
    share = torch.sigmoid(z * draws.uniform(rows, 1, low=0.4, high=3) + draws.normal(rows, 1) + small)
    # A floor under the value: rain, light by day, stock.
    floor = torch.relu(z - draws.uniform(rows, 1, low=-1.2, high=0.8)) * torch.exp(small)
    low, high = draws.uniform(rows, 1, low=-2, high=-0.3), draws.uniform(rows, 1, low=0.3, high=2)
    clipped = torch.minimum(torch.maximum(z + small, low), high)
    ratio = torch.round(share * 100) / 100
    return choose(draws.kind(rows, 0.35, 0.3, 0.2, 0.15), share, floor, clipped, ratio)
