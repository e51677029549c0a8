from __future__ import annotations

import dataclasses
import json
import uuid
from itertools import count
from typing import Any, Generator, Union

import httpx

from .consistency import ConsistencyTokens
from .errors import ClientError, NetworkError, read_response
from .options import RequestOptions, Settings
from .requests import ApiRequest
from .retries import pause_after

Headers = dict[str, Union[str, bytes]]


@dataclasses.dataclass(frozen=True)
class Attempt:
    """One HTTP request. The transport adds the credential."""

    method: str
    url: str
    headers: Headers
    content: bytes | None
    settings: Settings


# A call asks its transport for attempts and for pauses (in seconds), and gets the outcomes of the attempts.
Step = Union[Attempt, float]
Outcome = Union[httpx.Response, NetworkError, None]
Steps = Generator[Step, Outcome, Any]


class Exchange:
    """Decides about the requests of a call, for a transport that blocks and for one that awaits."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._tokens = ConsistencyTokens()

    def call(self, request: ApiRequest, options: RequestOptions | None) -> Steps:
        """Every attempt has the same bytes and the same Idempotency-Key. Returns the body of the response."""
        settings = self.settings.merge(options)
        key = settings.idempotency_key or (str(uuid.uuid4()) if request.is_keyed else None)
        attempt = self.create_attempt(request, settings)
        if key is not None:
            # The service reads the bytes of the key as UTF-8.
            attempt.headers["Idempotency-Key"] = key.encode()
        is_repeatable = request.method != "POST" or request.is_keyed
        for number in count():
            try:
                return (yield from self._run(attempt))
            except ClientError as error:
                error.idempotency_key = key
                pause = pause_after(error, number, settings.backoff, is_repeatable)
                if pause is None or number >= settings.max_retries:
                    raise
            yield pause

    def create_attempt(self, request: ApiRequest, settings: Settings) -> Attempt:
        headers: Headers = {**settings.headers, "Accept": "application/json"}
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        if settings.business_id is not None:
            headers["X-Service-Business-Id"] = settings.business_id
        if settings.mode is not None:
            headers["X-Service-Mode"] = settings.mode
        if request.method == "GET" and self._tokens.header is not None:
            headers["Consistency-Token"] = self._tokens.header
        content = None if request.body is None else json.dumps(request.body, ensure_ascii=False).encode()
        return Attempt(request.method, settings.base_url + request.address, headers, content, settings)

    def _run(self, attempt: Attempt) -> Steps:
        started_at = self._tokens.start()
        outcome = yield attempt
        if isinstance(outcome, NetworkError):
            raise outcome
        assert outcome is not None
        if attempt.settings.on_response is not None:
            attempt.settings.on_response(outcome)
        token = outcome.headers.get("consistency-token")
        if token is not None and attempt.method != "GET":
            self._tokens.record(token, started_at)
        return read_response(outcome)
