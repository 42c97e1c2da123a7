"""When a request is sent again, and after which pause: the rules of the TypeScript client."""

from __future__ import annotations

import random
import re
import time
from email.utils import parsedate_to_datetime

from .errors import AlmanacError, ConnectionError

#: A longer pause would look like a call that hangs, so the error is raised instead; it states how long to wait.
MAX_WAIT_SECONDS = 60.0
MAX_DELAY_SECONDS = 8.0


def is_temporary(error: AlmanacError) -> bool:
    """Returns whether the same request can succeed later."""
    if isinstance(error, ConnectionError):
        return True
    # Credits and slots do not become free within seconds.
    if error.code == "QUOTA_EXCEEDED" or error.status is None:
        return False
    return error.status in (408, 429) or error.status >= 500


def choose_delay(failures: int, base: float, retry_after: float | None) -> float | None:
    """Returns how many seconds to wait before an attempt.

    It is as long as the service asks for, otherwise longer with each failure. It is partly random, so that clients
    that failed together do not return together. Returns None if the wait is too long.
    """
    if retry_after is not None:
        if retry_after > MAX_WAIT_SECONDS:
            return None
        return retry_after + random.random() * min(retry_after / 4, 1.0)
    delay = min(base * 2.0 ** (failures - 1), MAX_DELAY_SECONDS)
    return delay * (0.5 + random.random() / 2)


def read_retry_after(header: str | None) -> float | None:
    """Reads a Retry-After header: a number of seconds, or a date."""
    if header is None:
        return None
    if re.fullmatch(r"\d{1,9}", header.strip()):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
