from __future__ import annotations

import base64
import binascii
import dataclasses
import hashlib
import hmac
import json
import re
import time
from typing import Any, Callable, Iterable, Literal, Protocol, Sequence, cast

from .generated.types import WebhookEvent

_TOLERANCE_SECONDS = 300
_PREFIX = "whsec_"
_OWN = "x-service-signature"
_SECONDS = re.compile("[0-9]{1,15}")

VerificationFault = Literal[
    "missing_signature", "malformed_signature", "outside_tolerance", "no_matching_signature", "invalid_body"
]


class HasItems(Protocol):
    """The headers of a request, as a dictionary or as an object of a web framework."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


class WebhookVerificationError(Exception):
    def __init__(self, fault: VerificationFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault
        """The reason why the webhook is invalid."""


def verify_webhook(
    payload: bytes | str,
    headers: HasItems,
    secret: str | Sequence[str],
    *,
    tolerance: float = _TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """Returns the event after it has verified the signature over the unchanged bytes of the body.

    Verifies `X-Service-Signature`, or the headers of Standard Webhooks when it is missing.

    secret: The signing secret of the endpoint; several during a rotation.
    tolerance: How far the time of the signature may be from now, in seconds.
    now: The current time, in seconds since 1970.

    Raises WebhookVerificationError.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(each.startswith(_PREFIX) and each != _PREFIX for each in secrets):
        raise ValueError("The signing secret is missing, or it does not begin with whsec_")
    body = payload.encode() if isinstance(payload, str) else bytes(payload)
    values = _read_headers(headers)
    signature = _read_own(values, body) if _OWN in values else _read_standard(values, body)
    _check_time(signature.seconds, time.time() if now is None else now, tolerance)
    macs = [hmac.new(signature.read_key(each), signature.signed, hashlib.sha256).digest() for each in secrets]
    if not any(hmac.compare_digest(mac, given) for mac in macs for given in signature.given):
        raise WebhookVerificationError(
            "no_matching_signature",
            "No signature matches: the secret is of another endpoint, or the body is not the one that was sent.",
        )
    return _parse_event(body)


@dataclasses.dataclass(frozen=True)
class _Signature:
    seconds: int
    signed: bytes
    given: list[bytes]
    read_key: Callable[[str], bytes]


def _read_headers(headers: HasItems) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in headers.items():
        texts = [value] if isinstance(value, (str, bytes)) else value
        found = [text.decode("latin-1") if isinstance(text, bytes) else str(text) for text in texts if text]
        if found:
            values.setdefault(name.lower(), []).extend(found)
    return values


def _read_own(values: dict[str, list[str]], body: bytes) -> _Signature:
    """Parses `t=…,v1=…`, with one or more `v1`. Other parts are ignored."""
    parts = [part.strip().partition("=") for part in ",".join(values[_OWN]).split(",")]
    seconds = next((value for name, _, value in parts if name == "t"), "")
    given = [bytes.fromhex(value) for name, _, value in parts if name == "v1" and re.fullmatch("[0-9a-f]{64}", value)]
    if not _SECONDS.fullmatch(seconds) or not given:
        raise WebhookVerificationError(
            "malformed_signature", 'The header X-Service-Signature is not "t=<seconds>,v1=<hex>".'
        )
    return _Signature(int(seconds), f"{seconds}.".encode() + body, given, str.encode)


def _read_standard(values: dict[str, list[str]], body: bytes) -> _Signature:
    """Parses `v1,…`, several of them with a space between."""
    id, seconds = (values.get(name, [""])[0] for name in ("webhook-id", "webhook-timestamp"))
    if "webhook-signature" not in values:
        raise WebhookVerificationError("missing_signature", "The header X-Service-Signature is missing.")
    parts = [part.partition(",") for text in values["webhook-signature"] for part in text.split()]
    given = [decoded for name, _, value in parts if name == "v1" and (decoded := _decode(value))]
    if id == "" or not _SECONDS.fullmatch(seconds) or not given:
        raise WebhookVerificationError(
            "malformed_signature",
            "The headers webhook-id, webhook-timestamp and webhook-signature do not belong together.",
        )
    return _Signature(int(seconds), f"{id}.{seconds}.".encode() + body, given, _read_standard_key)


def _read_standard_key(secret: str) -> bytes:
    key = _decode(secret.removeprefix(_PREFIX))
    if not key:
        raise ValueError("The signing secret is not base64 after whsec_")
    return key


def _decode(text: str) -> bytes:
    """Decodes base64; returns nothing for another text."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _check_time(seconds: int, now: float, tolerance: float) -> None:
    age = now - seconds
    if abs(age) > tolerance:
        side = "in the past" if age > 0 else "in the future"
        message = f"The time of the signature is {round(abs(age))} s {side}; the limit is {tolerance} s."
        raise WebhookVerificationError("outside_tolerance", message)


def _parse_event(body: bytes) -> WebhookEvent:
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise WebhookVerificationError("invalid_body", "The body is signed, but it is not a JSON object.")
    return cast(WebhookEvent, event)
