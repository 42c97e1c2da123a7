"""Demand that comes now and then, and quiet baselines with bursts that die away."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import noise, persisting, smooth_curve
from synthesis.seasons import any_season


def intermittent(draws: Draws, rows: int, points: int) -> torch.Tensor:
    wave = draws.part(any_season, rows, points)
    tilt = draws.sometimes(rows, 0.4, 0.2, 1.0) * wave
    tilt = tilt + draws.sometimes(rows, 0.4, 0.2, 1.0) * smooth_curve(draws, rows, points)
    rate = draws.log_uniform(rows, 0.03, 0.9) * torch.exp(tilt)
    came = draws.uniform(rows, points) < rate
    spread = draws.uniform(rows, 1, low=0.1, high=1.2)
    amount = torch.exp(spread * draws.normal(rows, points) + draws.uniform(rows, 1, low=0.0, high=3.0))
    amount = torch.where(draws.chance(rows, 0.7), torch.ceil(amount), amount)
    demand = came * amount

    burst = draws.events(rows, points, draws.log_uniform(rows, 0.005, 0.08)) * torch.exp(draws.normal(rows, points))
    shape = persisting(draws, burst, draws.uniform(rows, 1, low=0.0, high=0.95))
    quiet = draws.log_uniform(rows, 0.01, 0.5) * draws.part(noise, rows, points)
    quiet = quiet + draws.sometimes(rows, 0.5, 0.05, 1.0) * wave
    bursts = quiet + shape * draws.log_uniform(rows, 0.5, 5)
    bursts = torch.where(draws.chance(rows, 0.4), torch.relu(bursts), bursts)
    return torch.where(draws.chance(rows, 0.55), demand, bursts)
