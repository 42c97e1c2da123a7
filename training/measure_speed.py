"""Where the time of a step goes: `python measure_speed.py [--config FILE] [--steps 20]`, on a GPU.

For each shape of a round: the whole step as training runs it, the step on a batch that lies ready, and the series alone.
The series are made on a stream of their own, so the first is less than the sum of the others as long as the GPU has room.
"""
import argparse
import os
import time
from typing import Callable

import torch

from learning.feeder import Feeder
from learning.run import Run, Settings
from learning.shapes import LONG_ROUND, distinct
from network.config import read_fields

HERE = os.path.dirname(os.path.abspath(__file__))


class Waiting:
    """A feeder that has one batch and gives it again and again."""

    def __init__(self, batch):
        self.batch = batch

    def next(self):
        return self.batch


def milliseconds(run: Run, steps: int, work: Callable) -> float:
    work()
    run.wait()
    begun = time.perf_counter()
    for _ in range(steps):
        work()
    run.wait()
    return 1e3 * (time.perf_counter() - begun) / steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default=os.path.join(HERE, "configs", "base.json"))
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--steps-per-draw", type=int, default=Settings.steps_per_draw)
    parser.add_argument("--points-per-step", type=int, default=Settings.points_per_step)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    settings = Settings(
        seconds_total=1e9, steps_per_draw=arguments.steps_per_draw, points_per_step=arguments.points_per_step
    )
    run = Run(read_fields(arguments.config), settings, device, compile_blocks=device.type == "cuda")
    print(f"{'shape':>14}{'step':>9}{'ready':>9}{'series':>9}   ms")
    for shape in distinct(LONG_ROUND):
        feeder = Feeder(device, 1, run.network.config.patch_size, settings.points_per_step, settings.steps_per_draw, (shape,))
        ready = Waiting(feeder.sample(shape))
        whole = milliseconds(run, arguments.steps, lambda feeder=feeder: run.step(feeder))
        alone = milliseconds(run, arguments.steps, lambda ready=ready: run.step(ready))
        series = milliseconds(run, arguments.steps, feeder.next)
        name = f"{shape.points}{' gaps' if shape.with_gaps else ''}"
        print(f"{name:>14}{whole:>9.1f}{alone:>9.1f}{series:>9.1f}", flush=True)


if __name__ == "__main__":
    main()
