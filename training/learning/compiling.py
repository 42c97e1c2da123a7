"""The transformer layer, compiled once for each shape of its input."""
from functools import lru_cache
from typing import Callable

import torch

from network.block import transformer_block

MAX_VERSIONS = 64


@lru_cache(maxsize=None)
def compiled_block() -> Callable:
    """The layer alone: compiling loss and statistics too once made a run diverge, and they cost little.

    One for the process, so that the runs of an ablation share what is compiled.
    """
    if not hasattr(torch, "compile"):
        return transformer_block
    import torch._dynamo.config as limits

    # Beyond its limit PyTorch falls back to slow code without a word. The name has changed between versions.
    for name in ("cache_size_limit", "recompile_limit", "accumulated_cache_size_limit", "accumulated_recompile_limit"):
        if hasattr(limits, name):
            setattr(limits, name, max(MAX_VERSIONS, getattr(limits, name)))
    return torch.compile(transformer_block, dynamic=False)
