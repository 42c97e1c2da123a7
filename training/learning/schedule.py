"""The share of the peak learning rate at a moment of the whole run, which may be spread over several legs."""
import math

WARM_UP_STEPS = 1000
LAST_SHARE = 0.01


def rate_share(kind: str, step: int, progress: float, warm_up: int = WARM_UP_STEPS) -> float:
    """`progress` is elapsed over total time, 0 to 1. Steps, not time, warm up: Adam's averages count steps."""
    return min(1.0, (step + 1) / warm_up) * max(LAST_SHARE, DECAYS[kind](min(1.0, max(0.0, progress))))


def cosine(progress: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * progress))


def trapezoid(progress: float, flat: float = 0.55) -> float:
    """Constant, then falling in a line: the flat part can be prolonged without starting again."""
    return 1.0 if progress < flat else (1 - progress) / (1 - flat)


DECAYS = {"cosine": cosine, "trapezoid": trapezoid}
