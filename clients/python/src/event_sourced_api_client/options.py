from __future__ import annotations

import dataclasses
from typing import Any, Callable, Literal, Mapping, TypedDict, cast

import httpx

Mode = Literal["live", "test"]


class RequestOptions(TypedDict, total=False):
    """Options of one call. They replace those of the client."""

    idempotency_key: str
    """Identifies a POST, so that the service runs it once. Default: a new random key for each call."""
    timeout: float
    """The limit for a connection and for each wait for bytes, in seconds."""
    max_retries: int
    """How often the request is repeated at most."""
    backoff: float
    """The pause before the first repetition, in seconds. It doubles with each repetition."""
    api_key: str | Callable[[], str]
    """An API key, a session token or a cart token."""
    business_id: str
    """The business for which a session acts."""
    mode: Mode
    """The mode in which a session acts."""
    headers: Mapping[str, str]
    """Headers of the request, added to those of the client."""
    on_response: Callable[[httpx.Response], None]
    """Receives each response, also those before a repetition: its status, its headers and its request id."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """The options of the client, or of one call after its own options replaced them."""

    base_url: str
    api_key: str | Callable[[], str]
    business_id: str | None = None
    mode: Mode | None = None
    timeout: float = 30
    max_retries: int = 5
    backoff: float = 0.5
    headers: Mapping[str, str] = dataclasses.field(default_factory=lambda: cast("Mapping[str, str]", {}))
    on_response: Callable[[httpx.Response], None] | None = None
    idempotency_key: str | None = None

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise ValueError(f"base_url is not the address of a service: {self.base_url!r}")
        if not callable(self.api_key):
            check_key(self.api_key)
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))

    def merge(self, options: RequestOptions | None) -> Settings:
        """Raises a TypeError for an unknown option."""
        if not options:
            return self
        changes: dict[str, Any] = {**options, "headers": {**self.headers, **options.get("headers", {})}}
        return dataclasses.replace(self, **changes)

    def read_key(self) -> str:
        """Returns the current key."""
        return check_key(self.api_key()) if callable(self.api_key) else self.api_key


def check_key(key: str | None) -> str:
    """Raises an error that does not contain the key."""
    if not key:
        raise ValueError("The API key is missing: pass api_key, for example os.environ['API_KEY']")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError("The API key has a space, a line break or another character that no key has")
    return key
