"""Exponential smoothing run forwards: one shock moves level, trend and season, each by its share."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import convolved, multiplied, noise, persisting
from synthesis.seasons import cycle_table, phase_index

PERIODS = (1, 1, 1, 4, 4, 4, 12, 12, 12, 7, 24, 52)
CYCLE = 64


def smoothing(draws: Draws, rows: int, points: int) -> torch.Tensor:
    period = draws.one_of(rows, PERIODS)
    time = draws.time(points)
    shock = draws.part(noise, rows, points)

    level_share = draws.uniform(rows, 1) ** 0.7
    trend_share = level_share * draws.uniform(rows, 1) ** 2 * 0.5 * draws.chance(rows, 0.5)
    damping = torch.where(draws.chance(rows, 0.4), torch.ones_like(period), draws.uniform(rows, 1, low=0.8, high=0.98))
    first_trend = draws.normal(rows, 1) * draws.sometimes(rows, 0.75, 0.02, 1.0)
    slope = persisting(draws, trend_share * shock, damping) + first_trend * damping**time
    level = torch.cumsum(slope + level_share * shock, -1)

    # The season remembers its shocks for ever, at its own phase only.
    same_phase = (torch.remainder(time, period) == 0).float()
    season_share = (1 - level_share) * draws.uniform(rows, 1) * 0.4 * draws.chance(rows, 0.6)
    index = phase_index(draws, period, torch.zeros_like(period), points, CYCLE)
    start = torch.gather(cycle_table(draws, rows, CYCLE), 1, index)
    seasonal = draws.sometimes(rows, 0.8, 0.2, 8) * start + convolved(season_share * shock, same_phase)

    # Level and season hold their shares of the shock already; what is observed has all of it.
    has_season = (period > 1).float()
    x = level + has_season * seasonal + (1 - level_share - has_season * season_share) * shock
    return multiplied(draws, x, 0.5)
