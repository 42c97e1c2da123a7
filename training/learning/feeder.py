"""Batches, made ahead on the device while it trains."""
from typing import Optional

import torch

from learning.batch import Batch, make_batch
from learning.shapes import ROUND, Shape, rows_for
from synthesis.mixture import TURNED, Mixture


class Feeder:
    """Goes round the shapes for ever.

    Series are made for several steps of a shape at once: most of the cost is the launch of small kernels, whose number
    does not grow with the rows. On a GPU the work runs on a stream of its own, one batch ahead.
    """

    def __init__(
        self, device: torch.device, seed: int, patch: int, points_per_step: int, steps_per_draw: int,
        round_of_shapes: tuple = ROUND, without: Optional[str] = None, mixture: str = "second",
        turned: float = TURNED,
    ):
        self.mixture = Mixture(device, seed, without, mixture, turned)
        self.patch, self.points_per_step, self.steps_per_draw = patch, points_per_step, steps_per_draw
        self.round, self.turn = round_of_shapes, 0
        self.waiting: dict = {}
        self.stream = torch.cuda.Stream(device) if device.type == "cuda" else None
        self.ahead: Optional[Batch] = None

    def next(self) -> Batch:
        if self.stream is None:
            return self.make(self.next_shape())
        if self.ahead is None:
            self.ahead = self.make_ahead()
        batch = self.ahead
        main = torch.cuda.current_stream()
        main.wait_stream(self.stream)
        for tensor in batch:
            if tensor is not None:
                tensor.record_stream(main)  # else its memory might be taken again before the step has read it
        self.ahead = self.make_ahead()
        return batch

    def sample(self, shape: Shape) -> Batch:
        """A batch of this shape, ready now."""
        if self.stream is None:
            return self.make(shape)
        with torch.cuda.stream(self.stream):
            batch = self.make(shape)
        torch.cuda.synchronize()
        return batch

    def make_ahead(self) -> Batch:
        with torch.cuda.stream(self.stream):
            return self.make(self.next_shape())

    def next_shape(self) -> Shape:
        shape = self.round[self.turn % len(self.round)]
        self.turn += 1
        return shape

    @torch.no_grad()
    def make(self, shape: Shape) -> Batch:
        rows = rows_for(shape, self.points_per_step)
        queue = self.waiting.setdefault(shape.points, [])
        if not queue:
            queue.extend(self.mixture.series(rows * self.steps_per_draw, shape.points).split(rows))
        return make_batch(queue.pop(), self.patch, shape.with_gaps, self.mixture.draws.generator)
