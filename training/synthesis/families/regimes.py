"""A few states that come and go, each with its level, slope, noise and season."""
import torch

from synthesis.draws import Draws
from synthesis.pieces import multiplied, noise, wandering
from synthesis.seasons import any_period, any_season

STATES, STAYS = 4, 64


def regimes(draws: Draws, rows: int, points: int) -> torch.Tensor:
    changes = draws.events(rows, points, draws.log_uniform(rows, 1.0, 30.0) / points)
    stay = torch.remainder(torch.cumsum(changes, -1), STAYS).long()
    # Some rows switch by the clock instead.
    period = any_period(draws, rows, points)
    phase = torch.remainder(draws.time(points) + draws.uniform(rows, 1) * period, period) / period
    on = phase < draws.uniform(rows, 1, low=0.1, high=0.9)
    stay = torch.where(draws.chance(rows, 0.25), on.long(), stay)

    count = draws.one_of(rows, (2, 2, 2, 3, 4))
    state_of_stay = (draws.uniform(rows, STAYS) * count).long().clamp(max=STATES - 1)
    state = torch.gather(state_of_stay, 1, stay)

    def by_state(values: torch.Tensor) -> torch.Tensor:
        return torch.gather(values, 1, state)

    level = by_state(draws.normal(rows, STATES)) * draws.sometimes(rows, 0.75, 0.3, 4)
    slope = torch.cumsum(by_state(draws.normal(rows, STATES)), -1) * draws.sometimes(rows, 0.35, 0.003, 0.3)
    size = by_state(torch.exp(draws.normal(rows, STATES) * draws.uniform(rows, 1, high=1.5)))
    color = draws.part(wandering, rows, points)
    unrest = torch.where(draws.chance(rows, 0.5), color, draws.part(noise, rows, points)) * size
    wave = draws.part(any_season, rows, points) * by_state(draws.uniform(rows, STATES))
    x = level + slope + draws.log_uniform(rows, 0.03, 1) * unrest + draws.sometimes(rows, 0.4, 0.2, 2) * wave
    return multiplied(draws, x, 0.3)
