from __future__ import annotations

import threading
from itertools import count

# Fits into the header that the service accepts.
_MAX_TOKENS = 16


class ConsistencyTokens:
    """The Consistency-Tokens of the last writes, which reads send, so that they see these writes on every process.

    A write that started after the response to an earlier one includes it. Tokens do not show which of two concurrent
    writes is later, so both are kept.
    """

    def __init__(self) -> None:
        self._times = count(1)
        self._tokens: list[tuple[str, int]] = []
        self._lock = threading.Lock()

    @property
    def header(self) -> str | None:
        """The header of a read; None before the first write."""
        return ", ".join(token for token, _ in self._tokens) or None

    def start(self) -> int:
        """Returns the time at which a request starts."""
        return next(self._times)

    def record(self, token: str, started_at: int) -> None:
        """Records the token in the response to a write."""
        with self._lock:
            concurrent = [each for each in self._tokens if each[1] > started_at and each[0] != token]
            self._tokens = [*concurrent, (token, next(self._times))][-_MAX_TOKENS:]
