from __future__ import annotations

import dataclasses
from typing import Any, Mapping
from urllib.parse import quote, urlencode


@dataclasses.dataclass(frozen=True)
class ApiRequest:
    method: str
    path: str
    query: Mapping[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    body: Mapping[str, Any] | None = None
    is_keyed: bool = False
    """True when the service runs a repeated POST with the same key once."""

    def with_query(self, query: Mapping[str, Any]) -> ApiRequest:
        return dataclasses.replace(self, query={**self.query, **query})

    @property
    def address(self) -> str:
        """The path and the query. A list becomes a repeated parameter."""
        pairs = [(name, each) for name, value in self.query.items() for each in _to_texts(value)]
        return f"{self.path}?{urlencode(pairs)}" if pairs else self.path


def segment(id: str) -> str:
    """Encodes an id for a path. Raises an error for a text that would lead to another path."""
    if not isinstance(id, str) or id in ("", ".", ".."):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"Not an id: {id!r}")
    return quote(id, safe="")


def _to_texts(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, (list, tuple, set, frozenset)):
        return [text for each in value for text in _to_texts(each)]  # pyright: ignore[reportUnknownVariableType]
    return [str(value).lower() if isinstance(value, bool) else str(value)]
