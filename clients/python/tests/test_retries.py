from __future__ import annotations

import threading
import time
from typing import Any

import httpx

from event_sourced_api_client import (
    ApiError,
    Client,
    ClientError,
    ConnectError,
    ConnectionLostError,
    ResponseTimeoutError,
    UnexpectedResponseError,
)

from .support import ReceiverTest, Request, cut, reject, reset, respond_with

REFUNDS = "/v1/commerce/payments/pay_1/refunds"
POSTS = "/v1/community/communities/com_1/posts"
DONE = respond_with(201, {"data": {"id": "ref_1"}})
NOW = {"retry-after": "0"}


class ARequest(ReceiverTest):
    def test_is_repeated_with_the_same_key_and_the_same_body(self) -> None:
        failures = {
            "a reset connection": reset,
            "a connection that is cut within the response": cut,
            "a 502 of a proxy": respond_with(502, "<h1>Bad gateway</h1>"),
            "a 503": reject(503, "service_unavailable", NOW),
            "a 504": respond_with(504),
            "a 429": reject(429, "rate_limited", NOW),
            "a 409 while the first request runs": reject(
                409, "idempotency_key_in_progress", {"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}
            ),
            "a 409 because of a concurrent change": reject(409, "concurrent_update"),
        }
        for name, failure in failures.items():
            with self.subTest(name):
                self.server.requests.clear()
                self.server.script(REFUNDS, failure, DONE)
                refund: Any = self.client.commerce.refunds.create("pay_1", amount_cents=100)

                self.assertEqual(refund, {"id": "ref_1"})
                self.assertEqual([each.body for each in self.server.requests], [b'{"amount_cents": 100}'] * 2)
                first, second = self.server.headers("idempotency-key")
                self.assertRegex(first or "", "^[0-9a-f-]{36}$")
                self.assertEqual(second, first)

    def test_gets_its_own_key_or_the_given_key_in_utf_8(self) -> None:
        self.server.script(REFUNDS, DONE)
        refunds = self.client.commerce.refunds
        refunds.create("pay_1")
        refunds.create("pay_1")
        refunds.create("pay_1", options={"idempotency_key": "zurück"})
        first, second, given = self.server.headers("idempotency-key")

        self.assertNotEqual(first, second)
        self.assertEqual((given or "").encode("latin-1").decode(), "zurück")

    def test_has_no_key_when_the_service_would_ignore_it(self) -> None:
        self.server.script(POSTS, DONE)
        self.client.community.posts.create("com_1", content="Hello")

        self.assertEqual(self.server.headers("idempotency-key"), [None])

    def test_is_not_repeated_after_a_final_error(self) -> None:
        failures = {
            "a 500": reject(500, "internal_error"),
            "a rejection": reject(422, "refund_declined"),
            "another request with its key": reject(409, "idempotency_key_conflict"),
            "a long Retry-After": reject(503, "service_unavailable", {"retry-after": "3600"}),
        }
        for name, failure in failures.items():
            with self.subTest(name):
                self.server.requests.clear()
                self.server.script(REFUNDS, failure)
                self.assertRaises(ApiError, self.client.commerce.refunds.create, "pay_1")
                self.assertEqual(len(self.server.requests), 1)

    def test_that_the_service_would_run_twice_is_not_repeated_after_an_uncertain_failure(self) -> None:
        failures = {
            "a reset connection": (reset, ConnectionLostError),
            "a 502": (respond_with(502), UnexpectedResponseError),
            "a 503": (reject(503, "service_unavailable"), ApiError),
        }
        for name, (failure, error) in failures.items():
            with self.subTest(name):
                self.server.requests.clear()
                self.server.script(POSTS, failure)
                with self.assertRaises(error):
                    self.client.community.posts.create("com_1", content="Hello")
                self.assertEqual(len(self.server.requests), 1)

    def test_that_the_service_would_run_twice_is_repeated_after_a_429(self) -> None:
        self.server.script(POSTS, reject(429, "rate_limited"), DONE)
        self.client.community.posts.create("com_1", content="Hello")

        self.assertEqual(len(self.server.requests), 2)

    def test_waits_as_long_as_the_service_asks(self) -> None:
        times: list[float] = []
        self.server.script(REFUNDS, reject(429, "rate_limited", {"retry-after": "1"}), DONE)

        def record(_: httpx.Response) -> None:
            times.append(time.monotonic())

        client = self.connect(on_response=record)
        client.commerce.refunds.create("pay_1")

        self.assertGreater(times[1] - times[0], 0.99)

    def test_ends_with_the_last_error_and_its_key_after_the_allowed_repetitions(self) -> None:
        self.server.script(REFUNDS, reset)
        with self.assertRaises(ConnectionLostError) as caught:
            self.client.commerce.refunds.create("pay_1", options={"idempotency_key": "first", "max_retries": 2})

        self.assertEqual(caught.exception.idempotency_key, "first")
        self.assertEqual(self.server.headers("idempotency-key"), ["first"] * 3)

    def test_is_repeated_after_an_attempt_without_a_response_in_time(self) -> None:
        released = threading.Event()
        self.addCleanup(released.set)

        def hang(_: Request) -> None:
            released.wait(30)

        self.server.script(REFUNDS, hang, DONE)
        self.client.commerce.refunds.create("pay_1", options={"timeout": 0.2})
        self.assertEqual(len(set(self.server.headers("idempotency-key"))), 1)
        self.assertEqual(len(self.server.requests), 2)

        self.server.script(REFUNDS, hang)
        with self.assertRaises(ResponseTimeoutError):
            self.client.commerce.refunds.create("pay_1", options={"timeout": 0.2, "max_retries": 0})

    def test_that_reached_no_server_is_repeated_also_without_a_key(self) -> None:
        closed = self.server.url
        attempts: list[httpx.Request] = []
        http = httpx.Client(event_hooks={"request": [attempts.append]})
        client = Client(closed, "sk_test_1", backoff=0.001, max_retries=2, http_client=http)
        self.addCleanup(client.close)
        self.server.close()
        with self.assertRaisesRegex(ConnectError, "POST /v1/community/communities/com_1/posts got no response"):
            client.community.posts.create("com_1", content="Hello")

        self.assertEqual(len(attempts), 3)

    def test_asks_for_the_credential_before_each_attempt(self) -> None:
        tokens = iter(["first", "second"])
        self.server.script("/v1/auth/me", reset, respond_with(200, {"data": {}}))
        client = Client(self.server.url, lambda: next(tokens), backoff=0.001)
        self.addCleanup(client.close)
        client.identity.caller.retrieve()

        self.assertEqual(self.server.headers("authorization"), ["Bearer first", "Bearer second"])

    def test_names_the_business_and_the_mode_of_a_session(self) -> None:
        self.server.script("/v1/auth/me", respond_with(200, {"data": {}}))
        client = self.connect(business_id="biz_1", mode="test", headers={"X-One": "1"})
        client.identity.caller.retrieve()
        client.identity.caller.retrieve(options={"business_id": "biz_2", "mode": "live", "headers": {"X-Two": "2"}})

        self.assertEqual(self.server.headers("x-service-business-id"), ["biz_1", "biz_2"])
        self.assertEqual(self.server.headers("x-service-mode"), ["test", "live"])
        self.assertEqual(self.server.headers("x-one"), ["1", "1"])
        self.assertEqual(self.server.headers("x-two"), [None, "2"])

    def test_keeps_an_id_within_one_segment_of_the_path(self) -> None:
        self.server.script("/v1/commerce/orders/..%2Fme%3Fa", respond_with(200, {"data": {}}))
        self.assertEqual(self.client.commerce.orders.retrieve("../me?a"), {})
        for id in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "Not an id"):
                self.client.commerce.orders.retrieve(id)

    def test_sends_an_empty_body_only_where_one_is_required(self) -> None:
        self.server.script(REFUNDS, DONE)
        self.client.commerce.refunds.create("pay_1")

        self.assertEqual(self.server.requests[0].body, b"")

    def test_fails_with_an_unexpected_response(self) -> None:
        for body in ("<h1>Welcome</h1>", "[]", '{"code":"not_found"}'):
            with self.subTest(body):
                status = 404 if body.startswith("{") else 200
                self.server.script("/v1/auth/me", respond_with(status, body))
                with self.assertRaises(UnexpectedResponseError) as caught:
                    self.client.identity.caller.retrieve()
                self.assertEqual(caught.exception.status, status)
                self.assertIsInstance(caught.exception, ClientError)

    def test_does_not_follow_a_redirection_with_its_credential(self) -> None:
        self.server.script("/v1/auth/me", respond_with(302, None, {"location": "/v1/other"}))
        client = self.connect(http_client=httpx.Client(follow_redirects=True))
        self.assertRaises(UnexpectedResponseError, client.identity.caller.retrieve)

        self.assertEqual(len(self.server.requests), 1)
