from __future__ import annotations

import random
import re
import time
from email.utils import parsedate_to_datetime

from .errors import ApiError, ClientError, ConnectError, NetworkError, UnexpectedResponseError

# Codes of refusals after which the same request can succeed: nothing was done.
_REFUSED_CODES = {"rate_limited", "concurrent_update", "idempotency_key_in_progress"}
# Statuses of a service or a proxy that may have begun the request.
_UNCERTAIN_STATUSES = {502, 503, 504}
# A longer pause is left to the caller.
_LONGEST_PAUSE_SECONDS = 60
_LONGEST_BACKOFF_SECONDS = 8


def pause_after(error: ClientError, attempt: int, backoff: float, is_repeatable: bool) -> float | None:
    """Returns the seconds before the next attempt, or None when the error is final.

    is_repeatable: Whether the request has one effect when it arrives twice.
    """
    if not can_repeat(error, is_repeatable):
        return None
    pause = max(add_jitter(min(_LONGEST_BACKOFF_SECONDS, backoff * 2**attempt)), retry_after(error))
    return None if pause > _LONGEST_PAUSE_SECONDS else pause


def can_repeat(error: ClientError, is_repeatable: bool = True) -> bool:
    """Returns whether a later attempt can succeed without a second effect."""
    status = error.status if isinstance(error, (ApiError, UnexpectedResponseError)) else 0
    is_refused = isinstance(error, ApiError) and error.code in _REFUSED_CODES
    if is_refused or status == 429 or isinstance(error, ConnectError):
        return True
    return is_repeatable and (isinstance(error, NetworkError) or status in _UNCERTAIN_STATUSES)


def add_jitter(seconds: float) -> float:
    return seconds * random.uniform(0.5, 1)


def retry_after(error: ClientError) -> float:
    """Reads `Retry-After`: seconds, or a date."""
    if not isinstance(error, (ApiError, UnexpectedResponseError)):
        return 0
    text: str = error.headers.get("retry-after", "0")
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    try:
        return parsedate_to_datetime(text).timestamp() - time.time()
    except (TypeError, ValueError):
        return 0
