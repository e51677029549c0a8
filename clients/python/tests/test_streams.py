from __future__ import annotations

import asyncio
import time

from event_sourced_api_client import ApiError, AsyncClient

from .support import ReceiverTest, reject, reset, respond_with, send_events

PATH = "/v1/webhooks/events/stream"
OPENING = "retry: 1\n\n"


def message(id: str) -> str:
    return f'id: {id}\nevent: webhook.test\ndata: {{"id":"{id}","type":"webhook.test"}}\n\n'


class AStream(ReceiverTest):
    def take(self, count: int) -> list[str]:
        ids: list[str] = []
        for event in self.client.webhooks.events.stream():
            ids.append(event["id"])
            if len(ids) == count:
                break
        return ids

    def test_continues_after_the_last_event_when_the_connection_is_lost(self) -> None:
        self.server.script(
            PATH,
            send_events(OPENING, message("evt_1"), ":\n\n", message("evt_2")),
            reset,
            respond_with(503),
            send_events(message("evt_3")[:20]),
            send_events(message("evt_3")),
        )
        self.assertEqual(self.take(3), ["evt_1", "evt_2", "evt_3"])
        self.assertEqual(self.server.headers("last-event-id"), [None, *["evt_2"] * 4])

    def test_is_read_in_the_same_way_by_an_asynchronous_client(self) -> None:
        async def take() -> list[str]:
            ids: list[str] = []
            async with AsyncClient(self.server.url, "sk_test_1") as client:
                async for event in client.webhooks.events.stream():
                    ids.append(event["id"])
                    if len(ids) == 2:
                        break
            return ids

        self.server.script(PATH, send_events(OPENING, message("evt_1")), reset, send_events(message("evt_2")))
        self.assertEqual(asyncio.run(take()), ["evt_1", "evt_2"])
        self.assertEqual(self.server.headers("last-event-id"), [None, "evt_1", "evt_1"])

    def test_reads_an_event_that_arrives_in_parts(self) -> None:
        first, second = message("evt_1"), message("evt_2").replace("\n", "\r\n")
        self.server.script(PATH, send_events(OPENING + first[:10], first[10:] + second[:1], second[1:-1], second[-1:]))
        self.assertEqual(self.take(2), ["evt_1", "evt_2"])

    def test_keeps_a_line_separator_within_a_text(self) -> None:
        self.server.script(PATH, send_events('id: evt_1\ndata: {"id":"a\u2028b\x85c"}\n\n'))
        self.assertEqual(self.take(1), ["a\u2028b\x85c"])

    def test_continues_with_the_event_during_which_its_loop_ended(self) -> None:
        self.server.script(PATH, send_events(OPENING, message("evt_1"), message("evt_2"), message("evt_3")))
        stream = self.client.webhooks.events.stream()
        for event in stream:
            if event["id"] == "evt_2":
                break
        self.assertEqual(stream.last_event_id, "evt_1")

        next(iter(stream))
        self.assertEqual(self.server.headers("last-event-id"), [None, "evt_1"])

    def test_continues_with_the_event_whose_handling_failed(self) -> None:
        self.server.script(PATH, send_events(OPENING, message("evt_1"), message("evt_2")))
        stream = self.client.webhooks.events.stream()
        with self.assertRaises(KeyError):
            for event in stream:
                {"evt_1": None}[event["id"]]
        self.assertEqual(stream.last_event_id, "evt_1")

    def test_has_no_last_event_when_its_loop_ended_during_the_first(self) -> None:
        self.server.script(PATH, send_events(OPENING, message("evt_1")))
        stream = self.client.webhooks.events.stream()
        for _ in stream:
            break
        self.assertIsNone(stream.last_event_id)

    def test_continues_after_the_last_event_with_an_id_when_a_later_one_has_none(self) -> None:
        without_id = message("evt_2").replace("id: evt_2\n", "")
        self.server.script(PATH, send_events(OPENING, message("evt_1"), without_id), send_events(message("evt_3")))
        self.assertEqual(self.take(3), ["evt_1", "evt_2", "evt_3"])
        self.assertEqual(self.server.headers("last-event-id")[-1], "evt_1")

    def test_connects_again_as_soon_as_the_server_allows_however_often_it_is_lost_after_an_event(self) -> None:
        ids = [f"evt_{number}" for number in range(16)]
        self.server.script(PATH, send_events(OPENING), *[send_events(message(id)) for id in ids])
        began = time.monotonic()
        self.assertEqual(self.take(16), ids)
        self.assertLess(time.monotonic() - began, 5)

    def test_waits_as_long_as_a_service_without_capacity_asks(self) -> None:
        refused = respond_with(503, None, {"retry-after": "1"})
        self.server.script(PATH, send_events(OPENING), refused, send_events(message("evt_1")))
        began = time.monotonic()
        self.take(1)
        self.assertGreater(time.monotonic() - began, 0.99)

    def test_ends_with_a_problem_that_a_later_attempt_would_get_too(self) -> None:
        self.server.script(PATH, reject(401, "invalid_credentials"))
        with self.assertRaises(ApiError) as caught:
            self.take(1)
        self.assertEqual(caught.exception.code, "invalid_credentials")
        self.assertEqual(len(self.server.requests), 1)
