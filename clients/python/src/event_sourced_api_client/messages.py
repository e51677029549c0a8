from __future__ import annotations

import dataclasses
import re

# The lines of an event stream end with LF, CR LF or CR. An empty line ends a message.
_BLANK_LINE = re.compile(rb"\r\n\r\n|\n\n|\r\r")


@dataclasses.dataclass(frozen=True)
class Message:
    """A server-sent event."""

    id: str | None
    data: str
    retry_seconds: float | None
    """The pause before a new connection that the server asks for."""


class MessageParser:
    """Parses the bytes of an event stream. Comments give a message without data."""

    def __init__(self) -> None:
        self._unparsed = b""

    def feed(self, chunk: bytes) -> list[Message]:
        """Returns the messages that the chunk completes."""
        *blocks, self._unparsed = _BLANK_LINE.split(self._unparsed + chunk)
        return [_parse_block(block.decode(errors="replace")) for block in blocks]


def _parse_block(block: str) -> Message:
    fields: dict[str, list[str]] = {}
    # str.splitlines would also split at characters that JSON may contain.
    for line in re.split(r"\r\n|\n|\r", block):
        name, _, value = line.partition(":")
        fields.setdefault(name, []).append(value.removeprefix(" "))
    retry = fields.get("retry", [""])[-1]
    return Message(
        id=fields.get("id", [None])[-1],
        data="\n".join(fields.get("data", [])),
        retry_seconds=int(retry) / 1000 if re.fullmatch(r"[0-9]{1,9}", retry) else None,
    )
