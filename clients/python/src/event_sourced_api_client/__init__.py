"""The typed client of event-sourced-api: see the README."""

from .client import AsyncClient, Client
from .errors import (
    ApiError,
    ClientError,
    ConnectError,
    ConnectionLostError,
    NetworkError,
    ResponseTimeoutError,
    UnexpectedResponseError,
)
from .event_streams import AsyncEventStream, EventStream
from .generated import types
from .generated.types import ProblemCode, WebhookEvent
from .lists import AsyncItemList, ItemList, Page
from .options import RequestOptions
from .webhooks import VerificationFault, WebhookVerificationError, verify_webhook

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncEventStream",
    "AsyncItemList",
    "Client",
    "ClientError",
    "ConnectError",
    "ConnectionLostError",
    "EventStream",
    "ItemList",
    "NetworkError",
    "Page",
    "ProblemCode",
    "RequestOptions",
    "ResponseTimeoutError",
    "UnexpectedResponseError",
    "VerificationFault",
    "WebhookEvent",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
