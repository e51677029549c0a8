from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import httpx

if TYPE_CHECKING:
    from .generated import types as T


class ClientError(Exception):
    """The base of all errors of a call."""

    idempotency_key: str | None = None
    """The Idempotency-Key of the request. Another call with this key continues the same request."""


class ApiError(ClientError):
    """The service rejected the request with a problem document (RFC 9457)."""

    def __init__(self, problem: T.Problem, headers: httpx.Headers) -> None:
        super().__init__(_describe(problem))
        self.problem = problem
        self.code: str = problem["code"]
        """The stable code of the problem; a program decides by it."""
        self.status: int = problem["status"]
        self.detail: str = problem.get("detail", problem["title"])
        self.errors = problem["errors"]
        """Each rejected field, or each reason."""
        self.request_id: str | None = problem.get("request_id") or headers.get("x-request-id")
        """Names the request in the logs of the service."""
        self.headers = headers


class NetworkError(ClientError):
    """The request got no complete response."""


class ConnectError(NetworkError):
    """No connection was made, so the service did not receive the request."""


class ResponseTimeoutError(NetworkError):
    """The response did not arrive in time. A write may have taken effect."""


class ConnectionLostError(NetworkError):
    """The connection ended before the whole response arrived. A write may have taken effect."""


class UnexpectedResponseError(ClientError):
    """The response is not one of the service. A proxy may have sent it."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.headers = response.headers
        text = response.content[:200].decode(errors="replace")
        super().__init__(f"Unexpected response with status {self.status}: {text}")


def to_network_error(error: httpx.TransportError | httpx.DecodingError, description: str) -> NetworkError:
    """Returns the error of a call for an error of httpx. Raises an error in the request itself unchanged."""
    if isinstance(error, (httpx.LocalProtocolError, httpx.UnsupportedProtocol)):
        raise error
    message = f"{description}: {error or type(error).__name__}"
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)):
        return ConnectError(message)
    return ResponseTimeoutError(message) if isinstance(error, httpx.TimeoutException) else ConnectionLostError(message)


def read_response(response: httpx.Response) -> Any:
    """Returns the parsed body of a success. Raises the problem of another response."""
    try:
        body = json.loads(response.content)
    except ValueError:
        raise UnexpectedResponseError(response) from None
    if _is_problem(body):
        raise ApiError(cast("T.Problem", body), response.headers)
    if not response.is_success or not isinstance(body, dict):
        raise UnexpectedResponseError(response)
    return cast("dict[str, Any]", body)


def _is_problem(body: Any) -> bool:
    if not isinstance(body, dict):
        return False
    members = cast("dict[str, Any]", body)
    kinds = {"code": str, "title": str, "status": int, "errors": list}
    return all(isinstance(members.get(name), kind) for name, kind in kinds.items())


def _describe(problem: T.Problem) -> str:
    reasons = [
        f"{item.get('param') or item.get('field') or item['code']}: {item['detail']}" for item in problem["errors"]
    ]
    return f"{problem['status']} {problem['code']}: {' | '.join([problem.get('detail', problem['title']), *reasons])}"
