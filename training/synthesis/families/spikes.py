"""Pulses and sounds: sharp peaks that return, beats, tones that swell and fade or change their pitch."""
import math

import torch

from synthesis.draws import Draws, choose, unit
from synthesis.pieces import multiplied, noise, smooth_curve, wandering
from synthesis.seasons import any_period

TURNS = 2048


def spikes(draws: Draws, rows: int, points: int) -> torch.Tensor:
    period = any_period(draws, rows, points)
    time = draws.time(points) + draws.uniform(rows, 1) * period
    turn = torch.remainder(torch.floor(time / period), TURNS).long()
    train = pulse_train(draws, rows, period, time, turn)
    tone = tones(draws, rows, points, period)
    which = draws.kind(rows, 0.55, 0.3, 0.15)
    x = choose(which, train, unit(tone), unit(tone) + draws.uniform(rows, 1, low=0.3, high=2.0) * train)
    x = x + draws.sometimes(rows, 0.5, 0.05, 1.0) * smooth_curve(draws, rows, points)
    x = x + draws.log_uniform(rows, 0.005, 0.4) * draws.part(noise, rows, points)
    x = x + draws.sometimes(rows, 0.4, 0.02, 0.5) * draws.part(wandering, rows, points)
    return multiplied(draws, x, 0.25)


def pulse_train(
    draws: Draws, rows: int, period: torch.Tensor, time: torch.Tensor, turn: torch.Tensor
) -> torch.Tensor:
    """A pulse a turn: narrow or wide, even or steep on one side, sometimes late, of another height, or left out."""

    def of_turn(values: torch.Tensor) -> torch.Tensor:
        return torch.gather(values, 1, turn)

    late = draws.normal(rows, TURNS) * draws.sometimes(rows, 0.3, 0.01, 0.1)
    phase = torch.remainder(time / period + of_turn(late), 1.0)
    distance = phase - 0.5
    width = draws.log_uniform(rows, 0.01, 0.25).maximum(0.35 / period)
    even = torch.exp(-0.5 * (distance / width) ** 2)
    steep = torch.exp(-distance / (2 * width)) * (distance >= 0)
    square = (distance.abs() < width).float()
    pulse = choose(draws.kind(rows, 0.45, 0.35, 0.2), even, steep, square)
    height = torch.exp(of_turn(draws.normal(rows, TURNS)) * draws.sometimes(rows, 0.6, 0.03, 0.6))
    # Strong and weak beats: every so many turns another height.
    every = draws.one_of(rows, (2, 3, 4, 4, 7, 7, 12))
    strong = (torch.remainder(turn, every) < 1).float()
    height = height * (1 + strong * draws.sometimes(rows, 0.5, 0.3, 3))
    left_out = of_turn(draws.uniform(rows, TURNS)) < draws.uniform(rows, 1, high=0.4) * draws.chance(rows, 0.25)
    return pulse * height * ~left_out * draws.log_uniform(rows, 1, 6) * draws.sign(rows)


def tones(draws: Draws, rows: int, points: int, period: torch.Tensor) -> torch.Tensor:
    """Up to three partials, true or not to the first; in some the size beats or the pitch drifts."""
    drift = 1 + draws.sometimes(rows, 0.2, 0.002, 0.05) * smooth_curve(draws, rows, points)
    phase = torch.cumsum(drift, -1) / period
    ratios = draws.one_of(rows, (2, 2, 3, 1.5, 1.333, 1.02, 4, 5, 1.618))
    other = draws.one_of(rows, (3, 4, 5, 0.5, 0.333, 7, 2.5))
    x = torch.sin(2 * math.pi * (phase + draws.uniform(rows, 1)))
    for ratio in (ratios, other):
        x = x + draws.sometimes(rows, 0.6, 0.1, 1) * torch.sin(2 * math.pi * (phase * ratio + draws.uniform(rows, 1)))
    beat = torch.sin(2 * math.pi * (phase / draws.log_uniform(rows, 3, 40) + draws.uniform(rows, 1)))
    return x * (1 + beat * draws.uniform(rows, 1, high=0.9) * draws.chance(rows, 0.5))
