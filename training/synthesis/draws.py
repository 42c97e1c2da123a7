"""Random numbers on the device, a row per series: the small vocabulary all generators are written in."""
import math
import random
from typing import Callable

import torch


class Draws:
    def __init__(self, device: torch.device, seed: int):
        self.device = device
        self.generator = torch.Generator(device=device)
        self.generator.manual_seed(seed)
        # For sizes, which must be known on the host: asking the device for them would make it wait.
        self.host = random.Random(seed)
        self.constants: dict = {}
        self.stock = Stock()

    def normal(self, *shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=self.generator, device=self.device)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        return torch.empty(*shape, device=self.device).uniform_(low, high, generator=self.generator)

    def log_uniform(self, rows: int, low: float, high: float) -> torch.Tensor:
        return self.uniform(rows, 1, low=math.log(low), high=math.log(high)).exp_()

    def whole(self, rows: int, below: int) -> torch.Tensor:
        """(rows, 1) of 0, 1, …, below - 1."""
        return torch.randint(below, (rows, 1), generator=self.generator, device=self.device)

    def chance(self, rows: int, probability: float) -> torch.Tensor:
        """(rows, 1), true with this probability."""
        return self.uniform(rows, 1) < probability

    def sometimes(self, rows: int, probability: float, low: float, high: float) -> torch.Tensor:
        """A weight for a component: log-uniform with this probability, else 0."""
        return self.log_uniform(rows, low, high) * self.chance(rows, probability)

    def sign(self, rows: int) -> torch.Tensor:
        return self.normal(rows, 1).sign_()

    def kind(self, rows: int, *shares: float) -> torch.Tensor:
        """(rows, 1) of 0, 1, 2 …, in these shares."""
        bounds = self.constant(("bounds", shares), lambda: torch.tensor(shares).cumsum(0)[:-1] / sum(shares))
        return torch.bucketize(self.uniform(rows, 1), bounds)

    def one_of(self, rows: int, values: tuple) -> torch.Tensor:
        """(rows, 1) of these values, repeated ones more often."""
        table = self.constant(("values", values), lambda: torch.tensor(values, dtype=torch.float32))
        return table[self.whole(rows, len(values))]

    def events(self, rows: int, points: int, rate: torch.Tensor) -> torch.Tensor:
        """(rows, points) of booleans: an event at each point with the row's rate."""
        return self.uniform(rows, points) < rate

    def part(self, make: Callable, rows: int, points: int) -> torch.Tensor:
        """make(draws, rows, points), out of a stock for the whole batch."""
        return self.stock.take(make, self, rows, points)

    def time(self, points: int) -> torch.Tensor:
        return self.constant(("time", points), lambda: torch.arange(points, dtype=torch.float32)[None])

    def constant(self, key, make) -> torch.Tensor:
        """Copied to the device once: a copy at each batch would make it wait."""
        if key not in self.constants:
            self.constants[key] = make().to(self.device)
        return self.constants[key]


class Stock:
    """Parts made for all families at once: a part costs as many kernels for ten rows as for ten thousand.

    How many rows a batch needs is learned from the batch before it of the same size.
    """

    def __init__(self):
        self.needs: dict = {}
        self.expected: dict = {}
        self.made: dict = {}
        self.batch = None

    def begin(self, rows: int, points: int) -> None:
        """Each row is used once; what is left is thrown away."""
        self.batch = (rows, points)
        self.made = {}
        self.expected = self.needs.get(self.batch, {})
        self.needs[self.batch] = {}

    def take(self, make: Callable, draws: Draws, rows: int, points: int) -> torch.Tensor:
        if self.batch is None:
            return make(draws, rows, points)
        needs = self.needs[self.batch]
        needs[make] = needs.get(make, 0) + rows
        block = self.made.get(make)
        if block is None or block.shape[0] < rows:
            block = make(draws, max(rows, self.expected.pop(make, 0)), points)
        self.made[make] = block[rows:]
        return block[:rows]


def choose(kind: torch.Tensor, *options: torch.Tensor) -> torch.Tensor:
    """The option each row's kind names."""
    result = options[0]
    for index, option in enumerate(options[1:], start=1):
        result = torch.where(kind == index, option, result)
    return result


def unit(x: torch.Tensor) -> torch.Tensor:
    """Mean 0 and deviation 1 in each row."""
    variance, mean = torch.var_mean(x, -1, keepdim=True)
    return (x - mean) * torch.rsqrt(variance + 1e-12)
