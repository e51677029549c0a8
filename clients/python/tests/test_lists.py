from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .support import ReceiverTest, Request, Response, respond_with

ORDERS = "/v1/commerce/orders"
DELIVERIES = "/v1/webhooks/deliveries"


class AList(ReceiverTest):
    def iterate(self, *pages: list[str]) -> list[str]:
        """Iterates a list of these pages."""
        for number, ids in enumerate(pages, 1):
            pagination = {"current_page": number, "total_pages": len(pages), "per_page": 100, "total_count": 1}
            page = {"data": [{"id": id} for id in ids], "pagination": pagination}
            self.server.script(ORDERS if number == 1 else f"{ORDERS}?page={number}", respond_with(200, page))
        return [order["id"] for order in self.client.commerce.orders.list()]

    def test_has_each_item_once_when_items_move_to_later_pages(self) -> None:
        self.assertEqual(self.iterate(["ord_3", "ord_2"], ["ord_2", "ord_1"]), ["ord_3", "ord_2", "ord_1"])

    def test_remembers_the_last_500_items(self) -> None:
        ids = [f"ord_{number}" for number in range(502)]
        self.assertEqual(self.iterate(ids[:501], ids[1:]), ids)

    def test_has_every_item_when_the_items_have_no_id(self) -> None:
        pagination = {"current_page": 1, "total_pages": 1, "per_page": 100, "total_count": 2}
        items = [{"name": "one"}, {"name": "two"}]
        self.server.script(ORDERS, respond_with(200, {"data": items, "pagination": pagination}))
        self.assertEqual(list(self.client.commerce.orders.list()), items)

    def test_sends_nothing_before_it_is_used(self) -> None:
        self.client.commerce.orders.list()
        self.assertEqual(self.server.requests, [])

    def test_ends_with_the_last_slice(self) -> None:
        for pagination in ({"has_more": False, "next_cursor": "whd_1"}, {"has_more": True, "next_cursor": None}):
            self.server.script(DELIVERIES, respond_with(200, {"data": [{"id": "whd_1"}], "pagination": pagination}))
            self.assertEqual(len(list(self.client.webhooks.deliveries.list())), 1)

    def test_fails_when_the_next_slice_is_the_same_one_again(self) -> None:
        pagination = {"has_more": True, "next_cursor": "same"}
        slice = respond_with(200, {"data": [{"id": "whd_1"}], "pagination": pagination})
        self.server.script(DELIVERIES, slice)
        self.server.script(f"{DELIVERIES}?after=same", slice)
        with self.assertRaisesRegex(RuntimeError, "names itself as the next"):
            list(self.client.webhooks.deliveries.list())

    def test_repeats_a_filter_with_several_values(self) -> None:
        path = f"{DELIVERIES}?status=failed&status=abandoned&limit=5"
        empty: dict[str, Any] = {"data": [], "pagination": {"has_more": False, "next_cursor": None}}
        self.server.script(path, respond_with(200, empty))
        page = self.client.webhooks.deliveries.list(status=["failed", "abandoned"], limit=5).page()

        self.assertEqual(page.data, [])
        self.assertEqual([request.path for request in self.server.requests], [path])


class TheConsistencyTokens(ReceiverTest):
    def test_are_those_of_the_last_write_and_of_the_writes_that_ran_at_the_same_time(self) -> None:
        released = threading.Event()
        self.addCleanup(released.set)

        def respond_later(request: Request) -> None:
            released.wait(30)
            write("slow")(request)

        def write(token: str) -> Response:
            return respond_with(200, {"data": {}}, {"consistency-token": token})

        for token in ("one", "two"):
            self.server.script(f"/v1/commerce/products/{token}", write(token))
        self.server.script("/v1/commerce/products/slow", respond_later)
        self.server.script("/v1/auth/me", respond_with(200, {"data": {}}, {"consistency-token": "of a read"}))
        update = self.client.commerce.products.update

        def read() -> str | None:
            self.client.identity.caller.retrieve()
            return self.server.headers("consistency-token")[-1]

        self.assertIsNone(read())
        update("one")
        self.assertEqual(read(), "one")
        with ThreadPoolExecutor() as pool:
            slow = pool.submit(update, "slow")
            self.server.wait_for(4)
            update("two")
            released.set()
            slow.result()
        self.assertEqual(read(), "two, slow")
        update("one")
        self.assertEqual(read(), "one")
