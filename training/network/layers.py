"""The primitives of Toto 2.0: every linear layer divides by a power of its fan-in, as its unit scaling asks."""
import math
from typing import Optional

import torch
import torch.nn.functional as F

# Makes the SiLU of a normal variable have variance 1.
UNIT_SILU = 1.766782948312328


def linear(x: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor] = None) -> torch.Tensor:
    return scaled_linear(x, weight, bias, 1 / math.sqrt(weight.shape[1]))


def readout(x: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor] = None) -> torch.Tensor:
    return scaled_linear(x, weight, bias, 1 / weight.shape[1])


def scaled_linear(x: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor], factor: float) -> torch.Tensor:
    """The factor goes to the weights, which are fewer than the results, and fuses with their cast to bf16."""
    return F.linear(x, weight * factor, None if bias is None else bias * factor)


def unit_silu(x: torch.Tensor) -> torch.Tensor:
    return UNIT_SILU * F.silu(x)


def rms_norm(x: torch.Tensor, eps: float, weight: Optional[torch.Tensor] = None) -> torch.Tensor:
    """Always in float32: bf16 squares are too coarse."""
    wide = x.float()
    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
    return wide if weight is None else wide * weight


def add_branch(x: torch.Tensor, branch: torch.Tensor, tau: torch.Tensor) -> torch.Tensor:
    return (x + tau * branch) * torch.rsqrt(1 + tau * tau)
