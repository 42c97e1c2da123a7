"""Server-sent events, as the standard describes them."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

#: No event of the service is nearly so long.
MAX_EVENT_LENGTH = 1024**2


@dataclass(frozen=True)
class Frame:
    """One event, or an instruction of the stream."""

    id: str | None
    event: str
    data: str


class EventParser:
    """Takes the bytes of a stream and returns its complete events. An event that was cut off is left out."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._pending = ""
        self._lines: list[str] = []

    def feed(self, chunk: bytes) -> list[Frame]:
        self._pending += self._decoder.decode(chunk)
        # A line can end with \r\n whose second character has not arrived yet.
        parts = re.split(r"\r\n|\n|\r(?!\Z)", self._pending)
        self._pending = parts.pop()
        if len(self._pending) > MAX_EVENT_LENGTH:
            raise ValueError("An event of the stream is too long.")
        frames = []
        for line in parts:
            if line != "":
                self._lines.append(line)
                continue
            frame = _parse_frame(self._lines)
            self._lines = []
            if frame is not None:
                frames.append(frame)
        return frames


def _parse_frame(lines: list[str]) -> Frame | None:
    id_: str | None = None
    event = "message"
    data = []
    for line in lines:
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "id":
            id_ = value
        elif name == "event":
            event = value
        elif name == "data":
            data.append(value)
    return Frame(id_, event, "\n".join(data)) if data else None
