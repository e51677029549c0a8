from __future__ import annotations

import unittest
from typing import Any

from event_sourced_api_client import Client


class AClient(unittest.TestCase):
    def test_is_not_created_without_a_key(self) -> None:
        for key in (None, ""):
            with self.assertRaisesRegex(ValueError, "The API key is missing: pass api_key"):
                Client("http://127.0.0.1:1", key)

    def test_refuses_a_key_that_no_header_can_contain_without_showing_it(self) -> None:
        for key in ("sk_test_1\n", "sk_test 1", "sk_tést_1"):
            with self.assertRaises(ValueError) as caught:
                Client("http://127.0.0.1:1", key)
            self.assertNotIn(key, str(caught.exception))

    def test_refuses_a_missing_key_of_its_function(self) -> None:
        with Client("http://127.0.0.1:1", lambda: "") as client, self.assertRaisesRegex(ValueError, "missing"):
            client.identity.caller.retrieve()

    def test_refuses_another_address(self) -> None:
        with self.assertRaisesRegex(ValueError, "base_url"):
            Client("127.0.0.1:3000", "sk_test_1")

    def test_refuses_an_unknown_option(self) -> None:
        options: Any = {"timout": 1}
        with Client("http://127.0.0.1:1", "sk_test_1") as client, self.assertRaisesRegex(TypeError, "timout"):
            client.identity.caller.retrieve(options=options)
