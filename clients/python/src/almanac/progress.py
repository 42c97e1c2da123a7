"""A progress bar in one line of text."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Callable, TextIO, Union


@dataclass(frozen=True)
class Progress:
    """How far a batch of series is."""

    done: int
    failed: int
    total: int
    #: The seconds since the beginning.
    elapsed: float


#: True or False, or a function that gets the progress. None shows a bar if the program runs in a terminal.
ProgressOption = Union[bool, Callable[[Progress], object], None]

_WIDTH = 24


class ProgressReporter:
    """Counts finished series and reports each."""

    def __init__(self, total: int, option: ProgressOption, stream: TextIO | None = None) -> None:
        self._total = total
        self._stream = sys.stderr if stream is None else stream
        self._begun = time.monotonic()
        self._done = 0
        self._failed = 0
        is_shown = self._stream.isatty() if option is None else bool(option)
        self._report: Callable[[Progress], object] | None = None
        if callable(option):
            self._report = option
        elif is_shown:
            self._report = self._draw
        self._draws = self._report == self._draw
        self._announce()

    def count(self, *, failed: bool) -> None:
        self._done += 1
        self._failed += failed
        self._announce()

    def finish(self) -> None:
        if self._draws:
            self._stream.write("\n")
            self._stream.flush()

    def _announce(self) -> None:
        if self._report is not None:
            self._report(Progress(self._done, self._failed, self._total, time.monotonic() - self._begun))

    def _draw(self, progress: Progress) -> None:
        self._stream.write(f"\r{format_bar(progress)}")
        self._stream.flush()


def format_bar(progress: Progress) -> str:
    """Formats the progress, such as `[######··················] 5/20 series, 1 failed, 0:30 left`."""
    share = 1.0 if progress.total == 0 else progress.done / progress.total
    filled = round(share * _WIDTH)
    parts = [f"{progress.done}/{progress.total} series"]
    if progress.failed > 0:
        parts.append(f"{progress.failed} failed")
    if 0 < progress.done < progress.total:
        left = round(progress.elapsed / progress.done * (progress.total - progress.done))
        parts.append(f"{left // 60}:{left % 60:02} left")
    # The spaces cover what remains of a longer line.
    return f"[{'#' * filled}{'·' * (_WIDTH - filled)}] {', '.join(parts)}".ljust(_WIDTH + 40)
