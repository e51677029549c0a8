"""A server on the loopback interface, and the running service of the tests."""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import struct
import threading
import time
import unittest
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Mapping, TypeVar, cast

from event_sourced_api_client import Client

T = TypeVar("T")
_TIMEOUT_SECONDS = 30


@dataclasses.dataclass(frozen=True)
class Received:
    """One request that the server received."""

    path: str
    headers: Message
    body: bytes


class Request(BaseHTTPRequestHandler):
    """The connection of a request, which later requests use too."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        cast(_Server, self.server).receiver.respond(self, Received(self.path, self.headers, body))

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET

    def send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


Response = Callable[[Request], None]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    receiver: Receiver

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class Receiver:
    """Stores every request, and responds by a script for each path. The last response repeats."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self._scripts: dict[str, list[Response]] = {}
        self._received = threading.Condition()
        self._server = _Server(("127.0.0.1", 0), Request)
        self._server.receiver = self
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, path: str, *responses: Response) -> None:
        self._scripts[path] = list(responses)

    def respond(self, request: Request, received: Received) -> None:
        with self._received:
            self.requests.append(received)
            self._received.notify_all()
            responses = self._scripts.get(request.path, [respond_with(200)])
            response = responses.pop(0) if len(responses) > 1 else responses[0]
        response(request)

    def wait_for(self, count: int) -> list[Received]:
        with self._received:
            if not self._received.wait_for(lambda: len(self.requests) >= count, _TIMEOUT_SECONDS):
                raise AssertionError(f"Received {len(self.requests)} of {count} requests")
            return self.requests

    def headers(self, name: str) -> list[str | None]:
        """The values of a header in all requests."""
        return [request.headers.get(name) for request in self.requests]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def respond_with(status: int, body: Any = None, headers: Mapping[str, str] | None = None) -> Response:
    text = body if isinstance(body, str) else "" if body is None else json.dumps(body)
    return lambda request: request.send(status, headers or {}, text.encode())


def reject(status: int, code: str, headers: Mapping[str, str] | None = None) -> Response:
    problem = {"type": f"https://api.example/problems/{code}", "title": code, "status": status, "code": code}
    return respond_with(status, {**problem, "errors": []}, headers)


def reset(request: Request) -> None:
    """Resets the connection instead of responding."""
    request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    request.connection.close()
    request.close_connection = True


def cut(request: Request) -> None:
    """Sends the status and a part of the body, and ends the connection."""
    request.send(201, {"content-length": "1000"}, b'{"data":')
    request.close_connection = True


def send_events(*parts: str) -> Response:
    """Sends the parts of an event stream, and ends the connection."""

    def respond(request: Request) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/event-stream")
        request.send_header("connection", "close")
        request.end_headers()
        for part in parts:
            request.wfile.write(part.encode())
            request.wfile.flush()

    return respond


class ReceiverTest(unittest.TestCase):
    """A test with a server of its own."""

    def setUp(self) -> None:
        self.server = Receiver()
        self.addCleanup(self.server.close)
        self.client = self.connect()

    def connect(self, **options: Any) -> Client:
        settings: dict[str, Any] = {"backoff": 0.001, **options}
        client = Client(self.server.url, "sk_test_1", **settings)
        self.addCleanup(client.close)
        return client


@unittest.skipUnless("BASE_URL" in os.environ, "BASE_URL and API_KEY name no running service")
class ServiceTest(unittest.TestCase):
    """A test with the running service."""

    def setUp(self) -> None:
        self.base_url = os.environ["BASE_URL"]
        self.api_key = os.environ["API_KEY"]
        self.client = Client(self.base_url, self.api_key)
        self.addCleanup(self.client.close)


def eventually(read: Callable[[], T], condition: Callable[[T], bool]) -> T:
    deadline = time.monotonic() + _TIMEOUT_SECONDS
    while True:
        value = read()
        if condition(value):
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"The condition did not become true: {value!r}")
        time.sleep(0.02)
