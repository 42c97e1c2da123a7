"""The two switches of config.json that released checkpoints do not have. README.md defines them for other runtimes."""
import torch

from network.scaling import PatchStatistics

MAX_STATISTIC = 8.0
MAX_OUTPUT = 14.0


def floored(stats: PatchStatistics) -> tuple[torch.Tensor, torch.Tensor]:
    """Spread and step, neither below a millionth of the level: a flat series has neither."""
    floor = 1e-6 * (stats.mean.abs() + stats.last.abs()) + 1e-8
    return torch.maximum(stats.scale, floor), torch.maximum(stats.step, floor)


def extra_statistics(stats: PatchStatistics) -> torch.Tensor:
    """almanac_extra_statistics, (..., 3) float32: where the series stands, how smooth it is, how much was seen."""
    spread, step = floored(stats)
    place = torch.asinh((stats.last - stats.mean) / spread)
    smoothness = torch.log(spread / step)
    length = torch.log(stats.count + 1) / 4
    return torch.stack([place, smoothness, length], -1).clamp(-MAX_STATISTIC, MAX_STATISTIC).float()


def anchor_and_unit(stats: PatchStatistics) -> tuple[torch.Tensor, torch.Tensor]:
    """almanac_anchored_output: outputs are steps from the last value, in a unit between the spread and the step."""
    spread, step = floored(stats)
    return stats.last, torch.sqrt(spread * step)
