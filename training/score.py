"""Scores an exported checkpoint: `python score.py CHECKPOINT --series FILE [FILE …]`, on a CPU too."""
import argparse

import torch

from evaluation.held_out import held_out
from evaluation.report import scores, table
from evaluation.series_file import read_series
from network.checkpoint import load_checkpoint


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", help="folder with config.json and model.safetensors")
    parser.add_argument("--series", nargs="*", default=[], help="lines of id;period;frequency;horizon;history;actuals")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--no-simulated", action="store_true", help="leave out the simulated weekly, hourly and prices")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    network = load_checkpoint(arguments.checkpoint).to(arguments.device)
    series = [one for path in arguments.series for one in read_series(path)]
    if not arguments.no_simulated:
        series += held_out()
    print(table(scores(network, series)))


if __name__ == "__main__":
    main()
