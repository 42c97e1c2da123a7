"""ARMA processes with short and seasonal lags, as spectra; summed once or twice, with drift."""
import math

import torch

from synthesis.draws import Draws, choose, unit
from synthesis.pieces import angular_frequencies, multiplied, noise
from synthesis.seasons import any_period


def arima(draws: Draws, rows: int, points: int) -> torch.Tensor:
    omega = angular_frequencies(draws, points)
    gain = squared_root(draws, rows, omega, 0.95) / squared_root(draws, rows, omega, 0.97)
    turn = omega * any_period(draws, rows, points)
    seasonal = draws.uniform(rows, 1, low=0.3, high=0.97) * draws.chance(rows, 0.4)
    gain = gain / (1 + seasonal**2 - 2 * seasonal * torch.cos(turn))
    shocks = noise(draws, rows, 2 * points)
    stationary = torch.fft.irfft(torch.fft.rfft(shocks) * gain.clamp(max=1e8).sqrt(), n=2 * points)[:, :points]
    stationary = unit(stationary)

    drift = draws.normal(rows, 1) * draws.sometimes(rows, 0.5, 0.01, 0.5)
    once = torch.cumsum(stationary + drift, -1)
    twice = torch.cumsum(once, -1)
    observed = draws.sometimes(rows, 0.3, 0.01, 0.3)
    x = unit(choose(draws.kind(rows, 0.4, 0.5, 0.1), stationary, once, twice))
    return multiplied(draws, x + observed * draws.normal(rows, points), 0.35)


def squared_root(draws: Draws, rows: int, omega: torch.Tensor, max_size: float) -> torch.Tensor:
    """|1 - a e^(-iw)|^2 with a real root in half of the rows, of a pair of complex roots in the others."""
    size = draws.uniform(rows, 1, high=max_size)
    angle = draws.uniform(rows, 1, high=math.pi)
    real = torch.where(draws.chance(rows, 0.8), size, -size)
    one = 1 + real**2 - 2 * real * torch.cos(omega)
    pair = (1 + size**2 - 2 * size * torch.cos(omega - angle)) * (1 + size**2 - 2 * size * torch.cos(omega + angle))
    return torch.where(draws.chance(rows, 0.6), one, pair)
