from __future__ import annotations

import base64
import hashlib
import hmac
import unittest
from email.message import Message
from typing import Any

from event_sourced_api_client import WebhookVerificationError, verify_webhook

SECRET = f"whsec_{base64.b64encode(b's' * 32).decode()}"
OTHER = f"whsec_{base64.b64encode(b'o' * 32).decode()}"
NOW = 1769947200
BODY = '{"id":"evt_1","type":"webhook.test","data":{"text":"zurück"}}'


def sign(secret: str = SECRET, seconds: int = NOW, body: str = BODY) -> dict[str, str]:
    mac = hmac.new(secret.encode(), f"{seconds}.{body}".encode(), hashlib.sha256).hexdigest()
    return {"x-service-signature": f"t={seconds},v1={mac}"}


def sign_standard(secret: str = SECRET, seconds: int = NOW, body: str = BODY) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = base64.b64encode(hmac.new(key, f"evt_1.{seconds}.{body}".encode(), hashlib.sha256).digest()).decode()
    return {"webhook-id": "evt_1", "webhook-timestamp": str(seconds), "webhook-signature": f"v1,{mac}"}


def signature(secret: str = SECRET) -> str:
    return sign(secret)["x-service-signature"]


class AWebhook(unittest.TestCase):
    def verify(self, headers: Any, **options: Any) -> Any:
        arguments: dict[str, Any] = {"payload": BODY, "secret": SECRET, "now": NOW, **options}
        return verify_webhook(headers=headers, **arguments)

    def assert_fault(self, fault: str, headers: Any, **options: Any) -> str:
        with self.assertRaises(WebhookVerificationError) as caught:
            self.verify(headers, **options)
        self.assertEqual(caught.exception.fault, fault)
        return str(caught.exception)

    def test_is_accepted_with_each_kind_of_signature(self) -> None:
        for headers in (sign(), sign_standard(), {**sign(), **sign_standard()}):
            for payload in (BODY, BODY.encode(), bytearray(BODY.encode())):
                with self.subTest(headers=headers, payload=payload):
                    self.assertEqual(self.verify(headers, payload=payload)["data"], {"text": "zurück"})

    def test_is_accepted_with_the_headers_of_web_frameworks(self) -> None:
        repeated = Message()
        repeated["X-Service-Signature"] = signature(OTHER)
        repeated["X-Service-Signature"] = signature()
        headers = {
            "in another case": {"X-SERVICE-SIGNATURE": signature()},
            "sent twice": repeated,
            "in a list": {"x-service-signature": [signature(OTHER), signature()]},
            "with several signatures": {"x-service-signature": f"{signature(OTHER)},{signature().split(',')[1]}"},
            "with unknown parts": {"x-service-signature": f"{signature()},v2=abc"},
            "of Standard Webhooks with several signatures": {
                **sign_standard(),
                "webhook-signature": f"v1a,abc v1,!! {sign_standard(OTHER)['webhook-signature']} "
                + sign_standard()["webhook-signature"],
            },
        }
        for name, each in headers.items():
            with self.subTest(name):
                self.assertEqual(self.verify(each)["id"], "evt_1")

    def test_is_accepted_with_one_of_several_secrets(self) -> None:
        for headers in (sign(), sign_standard()):
            self.assertEqual(self.verify(headers, secret=[OTHER, SECRET])["id"], "evt_1")

    def test_is_refused_with_the_reason(self) -> None:
        standard = sign_standard()
        cases: list[tuple[str, dict[str, str]]] = [
            ("missing_signature", {}),
            ("missing_signature", {"x-service-signature": ""}),
            ("missing_signature", {"webhook-id": "evt_1", "webhook-timestamp": str(NOW)}),
            ("malformed_signature", {"x-service-signature": "nonsense"}),
            ("malformed_signature", {"x-service-signature": f"t={NOW}"}),
            ("malformed_signature", {"x-service-signature": signature().replace(f"t={NOW}", "t=soon")}),
            ("malformed_signature", {"x-service-signature": signature().replace(f"t={NOW}", "t=١٢٣")}),
            ("malformed_signature", {"x-service-signature": signature().upper()}),
            ("malformed_signature", {**standard, "webhook-id": ""}),
            ("malformed_signature", {**standard, "webhook-timestamp": "soon"}),
            ("malformed_signature", {**standard, "webhook-signature": "v1,"}),
            ("no_matching_signature", sign(OTHER)),
            ("no_matching_signature", sign_standard(OTHER)),
            ("no_matching_signature", {"x-service-signature": signature().replace(str(NOW), str(NOW - 1))}),
            ("no_matching_signature", {**standard, "webhook-id": "evt_2"}),
            ("no_matching_signature", {**sign_standard(), **sign(OTHER)}),
        ]
        for fault, headers in cases:
            with self.subTest(headers):
                self.assert_fault(fault, headers)

    def test_is_refused_with_a_changed_body(self) -> None:
        for headers in (sign(), sign_standard()):
            self.assert_fault("no_matching_signature", headers, payload=f"{BODY} ")

    def test_is_accepted_at_the_limit_of_the_tolerance_and_refused_beyond_it(self) -> None:
        for headers in (sign(), sign_standard()):
            for seconds in (-300, 300):
                self.assertEqual(self.verify(headers, now=NOW + seconds)["id"], "evt_1")
            for seconds in (-301, 301):
                self.assert_fault("outside_tolerance", headers, now=NOW + seconds)
        message = self.assert_fault("outside_tolerance", sign(), now=NOW + 400, tolerance=60)
        self.assertIn("400 s in the past; the limit is 60 s", message)

    def test_is_refused_when_its_signed_body_is_no_json_object(self) -> None:
        for body in ("{", "[]"):
            self.assert_fault("invalid_body", sign(body=body), payload=body)

    def test_is_not_verified_with_a_missing_secret(self) -> None:
        for secret in ("", [], [SECRET, ""], "whsec_", "sk_test_1"):
            with self.assertRaisesRegex(ValueError, "secret is missing"):
                self.verify(sign(), secret=secret)
        with self.assertRaisesRegex(ValueError, "not base64"):
            self.verify(sign_standard(), secret="whsec_!")
