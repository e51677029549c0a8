from __future__ import annotations

from types import TracebackType
from typing import Callable, Mapping

import httpx

from .generated import async_resources, resources
from .options import Mode, Settings
from .transport import AsyncTransport, Transport


class Client(resources.Areas):
    """A client whose operations are grouped by area and noun: `Client(base_url, api_key).commerce.orders.list()`.

    base_url: The address of the service, for example `https://api.example.com`.
    api_key: An API key, a session token or a cart token, or a function that returns the current one.
    business_id: The business for which a session acts. A key always acts for its own business.
    mode: The mode in which a session acts. A key has a fixed mode.
    timeout: The limit for a connection and for each wait for bytes, in seconds.
    max_retries: How often a request is repeated at most.
    backoff: The pause before the first repetition, in seconds. It doubles with each repetition.
    headers: Headers of every request.
    on_response: Receives each response.
    http_client: Replaces the client's own connections, for example to set a proxy or certificates.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | Callable[[], str] | None,
        *,
        business_id: str | None = None,
        mode: Mode | None = None,
        timeout: float = 30,
        max_retries: int = 5,
        backoff: float = 0.5,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[httpx.Response], None] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        settings = Settings(
            base_url, api_key or "", business_id, mode, timeout, max_retries, backoff, headers or {}, on_response
        )
        super().__init__(Transport(settings, http_client or httpx.Client()))

    def close(self) -> None:
        """Closes the connections."""
        self._transport.http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(async_resources.AsyncAreas):
    """A client as `Client`, whose methods are awaited and whose lists and streams are read with `async for`."""

    def __init__(
        self,
        base_url: str,
        api_key: str | Callable[[], str] | None,
        *,
        business_id: str | None = None,
        mode: Mode | None = None,
        timeout: float = 30,
        max_retries: int = 5,
        backoff: float = 0.5,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[httpx.Response], None] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        settings = Settings(
            base_url, api_key or "", business_id, mode, timeout, max_retries, backoff, headers or {}, on_response
        )
        super().__init__(AsyncTransport(settings, http_client or httpx.AsyncClient()))

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
