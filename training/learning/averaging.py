"""A running average of the weights: what is scored and exported."""
import torch

from network.network import Network


class AveragedWeights:
    """Reaches back about 1 / (1 - decay) steps, less at the beginning, when the weights still run away."""

    def __init__(self, network: Network, decay: float):
        self.network, self.decay, self.updates = network, decay, 0
        self.names = [name for name, _ in network.named_parameters()]
        self.live = [tensor.detach() for tensor in network.parameters()]
        self.average = [tensor.clone() for tensor in self.live]

    @torch.no_grad()
    def update(self) -> None:
        self.updates += 1
        decay = min(self.decay, self.updates / (self.updates + 9))
        torch._foreach_mul_(self.average, decay)
        torch._foreach_add_(self.average, self.live, alpha=1 - decay)

    def state_dict(self) -> dict:
        """All that a checkpoint holds; what is not learned is as it is."""
        return {**self.network.state_dict(), **dict(zip(self.names, self.average))}

    def load(self, weights: dict, updates: int) -> None:
        self.updates = updates
        for name, tensor in zip(self.names, self.average):
            tensor.copy_(weights[name])
