"""Prints what each family makes: `python describe_generator.py [--points 512] [--rows 256] [--device cpu]`."""
import argparse
import time

import torch

from synthesis.draws import Draws, unit
from synthesis.families import FAMILIES
from synthesis.mixture import Mixture


def autocorrelation(z: torch.Tensor, lag: int) -> torch.Tensor:
    return (z[:, lag:] * z[:, :-lag]).mean(-1)


def describe(x: torch.Tensor) -> str:
    z = unit(x.double())
    change = z.diff(dim=-1)
    lag1, step = autocorrelation(z, 1), change.abs().mean(-1)
    turns = (change[:, 1:] * change[:, :-1] < 0).double().mean(-1)
    growth = (z[:, -z.shape[1] // 4 :].mean(-1) - z[:, : z.shape[1] // 4].mean(-1)).abs()
    kurtosis = z.pow(4).mean(-1)
    finite = torch.isfinite(x).all().item()
    flat = (x.std(-1) < 1e-9).double().mean().item()

    def three(values: torch.Tensor) -> str:
        low, middle, high = torch.quantile(values, torch.tensor([0.1, 0.5, 0.9], dtype=values.dtype)).tolist()
        return f"{low:6.2f}{middle:6.2f}{high:6.2f}"

    return f"{finite!s:>6} {flat:5.2f} | " + " | ".join(map(three, (lag1, step, turns, growth, kurtosis)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=512)
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    wait = torch.cuda.synchronize if device.type == "cuda" else (lambda: None)
    print("each: 10 %, 50 % and 90 % of the rows")
    heads = " | ".join(f"{head:^18}" for head in ("lag 1", "mean step", "turns", "growth", "kurtosis"))
    print(f"{'family':>18} {'ms':>7} finite flat | {heads}")
    draws = Draws(device, arguments.seed)
    for name, family in FAMILIES.items():
        family(draws, arguments.rows, arguments.points)  # plans and constants are made on first use
        wait()
        begun = time.perf_counter()
        x = family(draws, arguments.rows, arguments.points)
        wait()
        print(f"{name:>18} {1e3 * (time.perf_counter() - begun):7.2f} {describe(x.cpu())}")
    mixture = Mixture(device, arguments.seed)
    mixture.series(arguments.rows, arguments.points)
    wait()
    begun = time.perf_counter()
    x = mixture.series(arguments.rows, arguments.points)
    wait()
    print(f"{'mixture':>18} {1e3 * (time.perf_counter() - begun):7.2f} {describe(x.cpu())}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
