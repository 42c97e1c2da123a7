"""Gaussian processes with kernels added and multiplied, sampled through their spectra."""
import math

import torch

from synthesis.draws import Draws, choose
from synthesis.pieces import angular_frequencies, multiplied, with_spectrum
from synthesis.seasons import any_period, evolving_season


def gaussian_process(draws: Draws, rows: int, points: int) -> torch.Tensor:
    first, second = kernel_path(draws, rows, points), kernel_path(draws, rows, points)
    periodic = evolving_season(draws, rows, points, any_period(draws, rows, points))
    # The product of two independent paths has the product of their kernels: a season whose size wanders.
    product = (1 + draws.uniform(rows, 1, low=0.2, high=1.0) * first) * periodic
    x = choose(draws.kind(rows, 0.3, 0.3, 0.25, 0.15), first, first + draws.log_uniform(rows, 0.1, 3) * second,
               second + draws.log_uniform(rows, 0.2, 3) * periodic, product)
    return multiplied(draws, x + draws.log_uniform(rows, 0.003, 0.6) * draws.normal(rows, points), 0.3)


def kernel_path(draws: Draws, rows: int, points: int) -> torch.Tensor:
    """Squared exponential, Matern of any order, or rational quadratic (close to a power of the frequency)."""
    omega = angular_frequencies(draws, points)
    corner = 2 * math.pi * draws.log_uniform(rows, 0.5 / points, 0.25)
    ratio = omega / corner
    squared_exponential = torch.exp(-0.25 * ratio**2)
    matern = (1 + ratio**2) ** (-0.5 * (draws.log_uniform(rows, 0.4, 3.0) + 0.5))
    power = omega.clamp(min=math.pi / points) ** (-draws.uniform(rows, 1, low=0.3, high=2.0))
    return with_spectrum(draws, choose(draws.kind(rows, 0.35, 0.4, 0.25), squared_exponential, matern, power), points)
