from __future__ import annotations

import asyncio
import os
import unittest
import uuid
from concurrent.futures import ThreadPoolExecutor

import httpx

from event_sourced_api_client import (
    ApiError,
    AsyncClient,
    Client,
    RequestOptions,
    WebhookVerificationError,
    types,
    verify_webhook,
)

from .support import Receiver, ServiceTest, eventually, respond_with

PLAN: types.PlanBody = {"kind": "one_time", "amount_cents": 2500, "currency": "EUR"}


class AShop(ServiceTest):
    @unittest.skipUnless("REVIEWER_TOKEN" in os.environ, "REVIEWER_TOKEN names no reviewer")
    def test_sells_a_product_and_refunds_a_part(self) -> None:
        commerce = self.client.commerce
        product = commerce.products.create(name="A course", plans=[PLAN])
        with Client(self.base_url, os.environ["REVIEWER_TOKEN"], mode="test") as reviewer:
            approved = reviewer.commerce.products.approve(product["id"])
        self.assertEqual(approved["approval_status"], "approved")

        email = f"{uuid.uuid4()}@example.com"
        cart = commerce.carts.create(buyer={"email": email, "name": "Ada"})
        with Client(self.base_url, cart.get("cart_token")) as buyer:
            buyer.commerce.carts.add_line(cart["id"], product_id=product["id"])
            order = buyer.commerce.carts.check_out(cart["id"], payment_method={"token": "tok_ok"})
        self.assertEqual(order["status"], "completed")

        (payment,) = commerce.payments.list(buyer_email=email)
        refund = commerce.refunds.create(payment["id"], amount_cents=900)
        self.assertEqual(refund["payment"]["id"], payment["id"])
        with self.assertRaises(ApiError) as caught:
            commerce.refunds.create(payment["id"], amount_cents=1601)
        self.assertEqual(caught.exception.code, "refund_amount_exceeds_refundable")
        self.assertEqual(commerce.orders.retrieve(order["id"])["refunded_amount_cents"], 900)

    def test_reads_a_list_over_several_pages(self) -> None:
        names = [f"{uuid.uuid4()}" for _ in range(7)]
        for name in names:
            self.client.commerce.products.create(name=name)
        pages: list[httpx.Response] = []
        products = self.client.commerce.products.list(per_page=3, options={"on_response": pages.append})
        found = [product["name"] for product, _ in zip(products, names)]

        self.assertEqual(found, names[::-1])
        self.assertEqual(len(pages), 3)
        page = self.client.commerce.products.list(per_page=2, page=2).page()
        self.assertEqual([product["name"] for product in page.data], names[::-1][2:4])
        self.assertEqual(page.pagination["current_page"], 2)

    def test_gets_the_problem_of_a_rejection(self) -> None:
        with self.assertRaises(ApiError) as caught:
            self.client.commerce.products.create(name="", plans=[PLAN])
        error = caught.exception
        self.assertEqual((error.code, error.status), ("validation_failed", 422))
        self.assertEqual([item.get("param") for item in error.errors], ["name"])
        self.assertRegex(error.request_id or "", "^req_")
        self.assertRegex(str(error), "^422 validation_failed: .*name: ")
        self.assertRegex(error.idempotency_key or "", "^[0-9a-f-]{36}$")

    def test_creates_one_product_when_two_calls_with_one_key_run_at_the_same_time(self) -> None:
        name, key = str(uuid.uuid4()), str(uuid.uuid4())

        def create(_: int) -> str:
            options: RequestOptions = {"idempotency_key": key, "backoff": 0.01}
            return self.client.commerce.products.create(name=name, options=options)["id"]

        with ThreadPoolExecutor(2) as pool:
            first, second = pool.map(create, range(2))
        self.assertEqual(first, second)
        page = self.client.commerce.products.list().page()
        self.assertEqual([product["name"] for product in page.data].count(name), 1)

    def test_creates_one_product_when_the_first_response_is_lost(self) -> None:
        responses: list[str | None] = []

        def lose_first(response: httpx.Response) -> None:
            responses.append(response.headers.get("idempotent-replayed"))
            if len(responses) == 1:
                raise httpx.ReadError("lost")

        http = httpx.Client(event_hooks={"response": [lose_first]})
        with Client(self.base_url, self.api_key, backoff=0.01, http_client=http) as client:
            product = client.commerce.products.create(name=str(uuid.uuid4()))
        self.assertEqual(responses, [None, "true"])
        page = self.client.commerce.products.list().page()
        self.assertEqual([each["name"] for each in page.data].count(product["name"]), 1)


class AReceiver(ServiceTest):
    def setUp(self) -> None:
        super().setUp()
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)

    def test_verifies_events_replays_a_failed_delivery_and_rotates_its_secret(self) -> None:
        endpoints, deliveries = self.client.webhooks.endpoints, self.client.webhooks.deliveries
        endpoint = endpoints.create(url=f"{self.receiver.url}/webhooks", event_types=["product.review_requested"])
        self.addCleanup(endpoints.delete, endpoint["id"])
        secret = endpoint.get("signing_secret") or ""
        self.receiver.script("/webhooks", respond_with(400), respond_with(200))
        product = self.client.commerce.products.create(name="A course")
        request = self.receiver.wait_for(1)[0]
        event = verify_webhook(request.body, request.headers, secret)
        assert event["type"] == "product.review_requested"
        self.assertEqual(event["data"]["id"], product["id"])
        standard = {name: value for name, value in request.headers.items() if name.lower().startswith("webhook-")}
        self.assertEqual(verify_webhook(request.body, standard, secret)["id"], event["id"])

        failed = eventually(
            lambda: list(deliveries.list(endpoint_id=endpoint["id"], status=["failed"])), lambda found: len(found) == 1
        )
        new_secret = endpoints.rotate_secret(endpoint["id"]).get("signing_secret") or ""
        deliveries.replay(failed[0]["id"])
        repeated = self.receiver.wait_for(2)[1]
        self.assertEqual(verify_webhook(repeated.body, repeated.headers, [secret, new_secret])["id"], event["id"])
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(repeated.body, repeated.headers, secret)

    def test_reads_every_event_from_a_stream_in_several_loops(self) -> None:
        events, products = self.client.webhooks.events, self.client.commerce.products
        first = products.create(name="One")["id"]
        ids = [products.create(name=name)["id"] for name in ("Two", "Three")]
        listed = eventually(
            lambda: [event for event in events.list(limit=2) if event["data"].get("id") == first],
            lambda found: len(found) > 0,
        )
        found: list[str] = []
        last = listed[0]["id"]
        for _ in range(2):
            for event in events.stream(after=last):
                assert event["type"] == "product.review_requested"
                found.append(event["data"]["id"])
                last = event["id"]
                break
        self.assertEqual(found, ids)


class AnAsynchronousClient(ServiceTest):
    def test_does_the_same_with_await(self) -> None:
        async def run() -> None:
            async with AsyncClient(self.base_url, self.api_key) as client:
                names = [str(uuid.uuid4()) for _ in range(3)]
                for name in names:
                    await client.commerce.products.create(name=name, plans=[PLAN])
                found: list[str] = []
                async for product in client.commerce.products.list(per_page=2):
                    found.append(product["name"])
                    if len(found) == 3:
                        break
                self.assertEqual(found, names[::-1])
                self.assertEqual((await client.commerce.products.list(per_page=2).page()).data[0]["name"], names[2])
                with self.assertRaises(ApiError) as caught:
                    await client.commerce.orders.retrieve("ord_missing")
                self.assertEqual(caught.exception.code, "not_found")

        asyncio.run(run())
