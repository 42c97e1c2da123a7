"""Which rows a training step takes: lengths in turn, each with about the same number of points."""
from typing import NamedTuple


class Shape(NamedTuple):
    points: int
    with_gaps: bool = False


# One round of the first checkpoint. Lengths are multiples of 64 so that any patch of 8, 16, 32 or 64 divides them; 4,224 is a full context and
# a horizon. Every prefix of a row is a training example, so long rows also teach short contexts, and short rows are
# there for the families that only short histories have.
ROUND = (
    Shape(128), Shape(1024), Shape(256), Shape(512), Shape(64), Shape(2048), Shape(256, with_gaps=True),
    Shape(128), Shape(1024), Shape(512), Shape(128), Shape(4224), Shape(1024, with_gaps=True),
)

# One round of the second: more rows that show a year of days or a month of hours several times.
LONG_ROUND = (
    Shape(128), Shape(1024), Shape(2048), Shape(256), Shape(4224), Shape(512), Shape(64), Shape(1024, with_gaps=True),
    Shape(2048), Shape(256, with_gaps=True), Shape(1024), Shape(128), Shape(4224), Shape(512), Shape(1024), Shape(128),
)
ROUNDS = {"first": ROUND, "long": LONG_ROUND}


def rows_for(shape: Shape, points_per_step: int) -> int:
    return max(1, points_per_step // shape.points)


def distinct(round_of_shapes: tuple) -> list:
    return sorted(set(round_of_shapes))
