"""Prices: returns without memory, of a size that has one. The best forecast is close to the last value."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import noise, settled


def prices(draws: Draws, rows: int, points: int) -> torch.Tensor:
    memory = 1 - draws.log_uniform(rows, 0.003, 0.2)
    unrest = torch.exp(settled(draws, rows, points, memory) * draws.uniform(rows, 1, high=0.8))
    size = draws.log_uniform(rows, 0.001, 0.05)
    shock = draws.part(noise, rows, points) * unrest
    # Bid and ask: a trace of reversal in some, of momentum in fewer.
    echo = draws.uniform(rows, 1, low=-0.2, high=0.1) * draws.chance(rows, 0.25)
    shock = shock + echo * shock.roll(1, -1)
    jumps = draws.events(rows, points, draws.sometimes(rows, 0.3, 0.001, 0.02))
    shock = shock + jumps * 4 * draws.normal(rows, points)
    # Days without a trade keep the price.
    traded = draws.uniform(rows, points) >= draws.uniform(rows, 1, high=0.5) * draws.chance(rows, 0.15)
    drift = draws.normal(rows, 1) * draws.sometimes(rows, 0.6, 0.003, 0.06)
    path = torch.cumsum((shock * traded + drift) * size, -1)
    grown = torch.exp(path.clamp(-6, 6))
    value = torch.where(draws.chance(rows, 0.25), path, grown)
    # Quoted in ticks.
    tick = size * draws.log_uniform(rows, 0.05, 1.5)
    return torch.where(draws.chance(rows, 0.2), torch.round(value / tick) * tick, value)
