from __future__ import annotations

import asyncio
import json
import time
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import AsyncIterator, Callable, Iterator

from .errors import ClientError
from .generated.types import WebhookEvent
from .messages import Message, MessageParser
from .retries import add_jitter, can_repeat, retry_after

_RECONNECT_SECONDS = 2.0
_LONGEST_PAUSE_SECONDS = 30.0

# Opens a connection that continues after an event, and gives its bytes.
Open = Callable[["str | None"], AbstractContextManager[Iterator[bytes]]]
AsyncOpen = Callable[["str | None"], AbstractAsyncContextManager[AsyncIterator[bytes]]]


class _Reconnection:
    """The pauses between the connections of a stream."""

    def __init__(self) -> None:
        self._failures = 0
        self._reconnect = _RECONNECT_SECONDS

    def read(self, messages: list[Message]) -> list[Message]:
        """Returns the messages with an event, and keeps the pause that the server asks for."""
        for message in messages:
            self._reconnect = self._reconnect if message.retry_seconds is None else message.retry_seconds
        events = [message for message in messages if message.data != ""]
        if events:
            self._failures = 0
        return events

    def pause(self, error: ClientError | None) -> float:
        """Returns the seconds before the next connection. Raises a final error."""
        if error is not None and not can_repeat(error):
            raise error
        pause = add_jitter(min(_LONGEST_PAUSE_SECONDS, self._reconnect * 2**self._failures))
        self._failures = min(self._failures + 1, 10)
        return pause if error is None else max(pause, retry_after(error))


class _Stream:
    last_event_id: str | None = None
    """The id of the last event that the loop has finished. Pass it as `after` to a later stream."""

    def _finish(self, message: Message) -> None:
        self.last_event_id = message.id or self.last_event_id


class EventStream(_Stream):
    """The public events as they are published. Ends only with an error or with its loop.

    It connects again after an interruption, and continues after the last event that the loop has finished.
    """

    def __init__(self, open: Open) -> None:
        self._open = open

    def __iter__(self) -> Iterator[WebhookEvent]:
        reconnection = _Reconnection()
        while True:
            error: ClientError | None = None
            try:
                parser = MessageParser()
                with self._open(self.last_event_id) as chunks:
                    for chunk in chunks:
                        for message in reconnection.read(parser.feed(chunk)):
                            yield json.loads(message.data)
                            self._finish(message)
            except ClientError as failure:
                error = failure
            time.sleep(reconnection.pause(error))


class AsyncEventStream(_Stream):
    """The public events as they are published. Ends only with an error or with its loop.

    It connects again after an interruption, and continues after the last event that the loop has finished.
    """

    def __init__(self, open: AsyncOpen) -> None:
        self._open = open

    async def __aiter__(self) -> AsyncIterator[WebhookEvent]:
        reconnection = _Reconnection()
        while True:
            error: ClientError | None = None
            try:
                parser = MessageParser()
                async with self._open(self.last_event_id) as chunks:
                    async for chunk in chunks:
                        for message in reconnection.read(parser.feed(chunk)):
                            yield json.loads(message.data)
                            self._finish(message)
            except ClientError as failure:
                error = failure
            await asyncio.sleep(reconnection.pause(error))
