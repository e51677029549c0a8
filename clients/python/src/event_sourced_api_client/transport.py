from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, contextmanager
from typing import Any, AsyncGenerator, AsyncIterator, Generator, Iterator

import httpx

from .errors import NetworkError, UnexpectedResponseError, read_response, to_network_error
from .event_streams import AsyncEventStream, EventStream
from .exchange import Attempt, Exchange, Outcome, Step
from .lists import AsyncCursorList, AsyncPageList, CursorList, PageList, find_next_page, find_next_slice
from .options import RequestOptions, Settings
from .requests import ApiRequest

# The service sends a comment every 15 s. A connection without a byte for this time is lost.
_SILENCE_SECONDS = 45
_FAILURES = (httpx.TransportError, httpx.DecodingError)


class Transport:
    """Sends the requests of a client, and blocks until the responses arrive."""

    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self._exchange = Exchange(settings)
        self.http = http

    def call(self, request: ApiRequest, options: RequestOptions | None) -> Any:
        return self._fetch(request, options)["data"]

    def list_pages(self, request: ApiRequest, options: RequestOptions | None) -> PageList[Any]:
        return PageList[Any](lambda query: self._fetch(request.with_query(query), options), find_next_page)

    def list_slices(self, request: ApiRequest, options: RequestOptions | None) -> CursorList[Any]:
        return CursorList[Any](lambda query: self._fetch(request.with_query(query), options), find_next_slice)

    def stream(self, request: ApiRequest, options: RequestOptions | None) -> EventStream:
        @contextmanager
        def open(last_event_id: str | None) -> Generator[Iterator[bytes], None, None]:
            attempt = open_attempt(self._exchange, request, options, last_event_id)
            try:
                with self.http.stream(**to_arguments(attempt, _SILENCE_SECONDS)) as response:
                    if response.status_code != 200:
                        response.read()
                        read_response(response)
                        raise UnexpectedResponseError(response)
                    yield response.iter_bytes()
            except _FAILURES as error:
                raise to_network_error(error, describe(attempt)) from error

        return EventStream(open)

    def _fetch(self, request: ApiRequest, options: RequestOptions | None) -> Any:
        steps = self._exchange.call(request, options)
        outcome: Outcome = None
        try:
            while True:
                outcome = self._perform(steps.send(outcome))
        except StopIteration as end:
            return end.value

    def _perform(self, step: Step) -> Outcome:
        if not isinstance(step, Attempt):
            time.sleep(step)
            return None
        try:
            return self.http.request(**to_arguments(step))
        except _FAILURES as error:
            return to_outcome(error, step)


class AsyncTransport:
    """Sends the requests of a client, and awaits the responses."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self._exchange = Exchange(settings)
        self.http = http

    async def call(self, request: ApiRequest, options: RequestOptions | None) -> Any:
        return (await self._fetch(request, options))["data"]

    def list_pages(self, request: ApiRequest, options: RequestOptions | None) -> AsyncPageList[Any]:
        return AsyncPageList[Any](lambda query: self._fetch(request.with_query(query), options), find_next_page)

    def list_slices(self, request: ApiRequest, options: RequestOptions | None) -> AsyncCursorList[Any]:
        return AsyncCursorList[Any](lambda query: self._fetch(request.with_query(query), options), find_next_slice)

    def stream(self, request: ApiRequest, options: RequestOptions | None) -> AsyncEventStream:
        @asynccontextmanager
        async def open(last_event_id: str | None) -> AsyncGenerator[AsyncIterator[bytes], None]:
            attempt = open_attempt(self._exchange, request, options, last_event_id)
            try:
                async with self.http.stream(**to_arguments(attempt, _SILENCE_SECONDS)) as response:
                    if response.status_code != 200:
                        await response.aread()
                        read_response(response)
                        raise UnexpectedResponseError(response)
                    yield response.aiter_bytes()
            except _FAILURES as error:
                raise to_network_error(error, describe(attempt)) from error

        return AsyncEventStream(open)

    async def _fetch(self, request: ApiRequest, options: RequestOptions | None) -> Any:
        steps = self._exchange.call(request, options)
        outcome: Outcome = None
        try:
            while True:
                outcome = await self._perform(steps.send(outcome))
        except StopIteration as end:
            return end.value

    async def _perform(self, step: Step) -> Outcome:
        if not isinstance(step, Attempt):
            await asyncio.sleep(step)
            return None
        try:
            return await self.http.request(**to_arguments(step))
        except _FAILURES as error:
            return to_outcome(error, step)


class Resource:
    """The base of all nouns and areas."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class AsyncResource:
    """The base of all nouns and areas."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


def open_attempt(
    exchange: Exchange, request: ApiRequest, options: RequestOptions | None, last_event_id: str | None
) -> Attempt:
    attempt = exchange.create_attempt(request, exchange.settings.merge(options))
    attempt.headers["Accept"] = "text/event-stream"
    if last_event_id is not None:
        attempt.headers["Last-Event-ID"] = last_event_id
    return attempt


def to_arguments(attempt: Attempt, read_timeout: float | None = None) -> dict[str, Any]:
    """Returns the arguments of httpx. Each attempt has the current credential."""
    settings = attempt.settings
    return {
        "method": attempt.method,
        "url": attempt.url,
        "headers": {**attempt.headers, "Authorization": f"Bearer {settings.read_key()}"},
        "content": attempt.content,
        "follow_redirects": False,
        "timeout": httpx.Timeout(settings.timeout, read=read_timeout or settings.timeout),
    }


def to_outcome(error: httpx.TransportError | httpx.DecodingError, attempt: Attempt) -> NetworkError:
    outcome = to_network_error(error, describe(attempt))
    outcome.__cause__ = error
    return outcome


def describe(attempt: Attempt) -> str:
    return f"{attempt.method} {attempt.url.removeprefix(attempt.settings.base_url)} got no response"
