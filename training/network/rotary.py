"""Rotary positions on the first half of each head, with Toto's optional xPos decay."""
from typing import NamedTuple, Optional

import torch

XPOS_BASE = 256


class Rotation(NamedTuple):
    """Each (positions, pairs): cosine and sine for queries and keys, the xPos scale multiplied in."""
    query_cos: torch.Tensor
    query_sin: torch.Tensor
    key_cos: torch.Tensor
    key_sin: torch.Tensor


def rotation_table(positions: int, qk_dim: int, use_xpos: bool, device: Optional[torch.device] = None) -> Rotation:
    pairs = qk_dim // 4
    width = 2 * pairs
    even = torch.arange(0, width, 2, device=device, dtype=torch.float32)
    place = torch.arange(positions, device=device, dtype=torch.float32)[:, None]
    angle = place * (10000.0 ** (-even / width))[None]
    cos, sin = angle.cos(), angle.sin()
    if not use_xpos:
        return Rotation(cos, sin, cos, sin)
    center = positions // 2
    grow = ((even + 0.4 * width) / (1.4 * width))[None] ** ((place - center) / XPOS_BASE)
    return Rotation(cos * grow, sin * grow, cos / grow, sin / grow)


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """x (..., positions, qk_dim): pairs (2i, 2i+1) of the first half turn, the second half stays."""
    turned, rest = x[..., : 2 * cos.shape[-1]], x[..., 2 * cos.shape[-1] :]
    a, b = turned.unflatten(-1, (-1, 2)).unbind(-1)
    turned = torch.stack([a * cos - b * sin, b * cos + a * sin], -1).flatten(-2)
    return torch.cat([turned, rest], -1)
