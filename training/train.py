"""Trains for one leg, from the last saved state or from the beginning.

    python train.py --seconds-total 1500 --leg-seconds 480 --state STATE.pt --out CHECKPOINT --series FILE …

Run it again with the same arguments until it says that the run is done. README.md tells the rest.
"""
import argparse
import os
import time

import torch

from evaluation.held_out import held_out
from evaluation.report import scores, table
from evaluation.series_file import read_series
from learning.run import Run, Settings
from learning.schedule import DECAYS
from learning.state import load_state, save_state
from network.checkpoint import WEIGHTS, load_checkpoint, save_checkpoint
from network.config import read_fields
from network.safetensors_file import read_safetensors

HERE = os.path.dirname(os.path.abspath(__file__))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default=os.path.join(HERE, "configs", "base.json"))
    parser.add_argument("--seconds-total", type=float, required=True, help="training time of the whole run")
    parser.add_argument("--leg-seconds", type=float, required=True, help="wall time of this leg, scoring not counted")
    parser.add_argument("--state", required=True, help="file of the full state; a leg starts from it where it exists")
    parser.add_argument("--out", required=True, help="folder for the averaged weights as a checkpoint")
    parser.add_argument("--series", nargs="*", default=[], help="files to score on at the end; never trained on")
    parser.add_argument("--init", help="checkpoint to start from where no state exists")
    parser.add_argument("--elapsed", type=float, default=0.0, help="with --init: seconds the run has behind it")
    parser.add_argument("--rate", type=float, default=Settings.rate)
    parser.add_argument("--schedule", choices=sorted(DECAYS), default=Settings.schedule)
    parser.add_argument("--warm-up", type=int, default=Settings.warm_up, help="steps")
    parser.add_argument("--averaging", type=float, default=Settings.averaging)
    parser.add_argument("--points-per-step", type=int, default=Settings.points_per_step)
    parser.add_argument("--steps-per-draw", type=int, default=Settings.steps_per_draw)
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--steps", type=int, help="stop this leg after so many steps, for tests")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--dtype", choices=("fp16", "fp32"), default="fp16", help="of the exported weights")
    parser.add_argument("--no-compile", action="store_true")
    return parser.parse_args()


def settings_from(arguments: argparse.Namespace) -> Settings:
    return Settings(
        seconds_total=arguments.seconds_total, rate=arguments.rate, schedule=arguments.schedule,
        warm_up=arguments.warm_up, averaging=arguments.averaging, points_per_step=arguments.points_per_step,
        steps_per_draw=arguments.steps_per_draw, seed=arguments.seed,
    )


def begin(arguments: argparse.Namespace, device: torch.device) -> Run:
    fields = read_fields(arguments.config)
    compiles = device.type == "cuda" and not arguments.no_compile
    run = Run(fields, settings_from(arguments), device, compiles)
    if os.path.exists(arguments.state):
        run.resume(load_state(arguments.state, fields, device))
        say(f"resumed after {run.legs} legs, {run.steps} steps, {run.elapsed:.0f} s")
    elif arguments.init:
        run.start_from(read_safetensors(os.path.join(arguments.init, WEIGHTS)), arguments.elapsed)
        say(f"started from {arguments.init}")
    return run


def say(text: str) -> None:
    print(text, flush=True)


def main() -> None:
    begun = time.monotonic()
    arguments = read_arguments()
    device = torch.device(arguments.device)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    else:
        torch.set_num_threads(1)
    run = begin(arguments, device)
    say(f"{sum(p.numel() for p in run.network.parameters()):,} parameters on {device}, torch {torch.__version__}")
    dtype = {"fp16": torch.float16, "fp32": torch.float32}[arguments.dtype]

    def save() -> None:
        save_state(arguments.state, run.state())
        notes = {"steps": str(run.steps), "points": str(run.points), "seconds": f"{run.elapsed:.0f}"}
        save_checkpoint(arguments.out, run.fields, run.averages.state_dict(), dtype, notes)

    if not run.is_done:
        run.leg(begun + arguments.leg_seconds, arguments.steps, save, say)
    size = os.path.getsize(os.path.join(arguments.out, WEIGHTS))
    say(f"{'done' if run.is_done else 'to be continued'}: {run.elapsed:.0f} of {arguments.seconds_total:.0f} s, "
        f"{run.steps} steps, {run.points / 1e9:.2f} G points, {size / 1e6:.1f} MB exported")
    # What is scored is the file, rounding and all, in full float32: scores should not depend on the device.
    if device.type == "cuda":
        torch.set_float32_matmul_precision("highest")
    network = load_checkpoint(arguments.out).to(device)
    say(table(scores(network, [one for path in arguments.series for one in read_series(path)] + held_out())))


if __name__ == "__main__":
    main()
