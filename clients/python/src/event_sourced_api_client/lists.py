from __future__ import annotations

import dataclasses
from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterator, Mapping, TypeVar

from .generated import types as T

Item = TypeVar("Item")
Pagination = TypeVar("Pagination")
Query = Mapping[str, Any]

# How many items of earlier pages are remembered. Items that were added since then move items to later pages.
_REMEMBERED_ITEMS = 500


@dataclasses.dataclass(frozen=True)
class Page(Generic[Item, Pagination]):
    data: list[Item]
    pagination: Pagination


class ItemList(Generic[Item, Pagination]):
    """All items of a list when iterated. Each page is requested when it is needed, and each iteration begins again."""

    def __init__(self, fetch: Callable[[Query], Any], find_next: Callable[[Any], Query | None]) -> None:
        self._fetch = fetch
        self._find_next = find_next

    def page(self) -> Page[Item, Pagination]:
        """Requests the first page, or the one that the call named."""
        return _to_page(self._fetch({}))

    def pages(self) -> Iterator[Page[Item, Pagination]]:
        following: Query | None = {}
        while following is not None:
            page: Page[Item, Pagination] = _to_page(self._fetch(following))
            yield page
            following = _follow(following, self._find_next(page.pagination))

    def __iter__(self) -> Iterator[Item]:
        unseen = _Unseen()
        for page in self.pages():
            yield from filter(unseen.add, page.data)


class AsyncItemList(Generic[Item, Pagination]):
    """All items of a list when iterated. Each page is requested when it is needed, and each iteration begins again."""

    def __init__(self, fetch: Callable[[Query], Awaitable[Any]], find_next: Callable[[Any], Query | None]) -> None:
        self._fetch = fetch
        self._find_next = find_next

    async def page(self) -> Page[Item, Pagination]:
        """Requests the first page, or the one that the call named."""
        return _to_page(await self._fetch({}))

    async def pages(self) -> AsyncIterator[Page[Item, Pagination]]:
        following: Query | None = {}
        while following is not None:
            page: Page[Item, Pagination] = _to_page(await self._fetch(following))
            yield page
            following = _follow(following, self._find_next(page.pagination))

    async def __aiter__(self) -> AsyncIterator[Item]:
        unseen = _Unseen()
        async for page in self.pages():
            for item in filter(unseen.add, page.data):
                yield item


PageList = ItemList[Item, T.PagePagination]
CursorList = ItemList[Item, T.CursorPagination]
AsyncPageList = AsyncItemList[Item, T.PagePagination]
AsyncCursorList = AsyncItemList[Item, T.CursorPagination]


def find_next_page(pagination: T.PagePagination) -> Query | None:
    is_last = pagination["current_page"] >= pagination["total_pages"]
    return None if is_last else {"page": pagination["current_page"] + 1}


def find_next_slice(pagination: T.CursorPagination) -> Query | None:
    has_next = pagination["has_more"] and pagination["next_cursor"] is not None
    return {"after": pagination["next_cursor"]} if has_next else None


def _to_page(body: Any) -> Page[Any, Any]:
    return Page(body["data"], body["pagination"])


def _follow(current: Query, following: Query | None) -> Query | None:
    if following == current:
        raise RuntimeError("A page of the list names itself as the next")
    return following


class _Unseen:
    """Finds items that an earlier page had already."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def add(self, item: Any) -> bool:
        """Returns whether the item is new."""
        id = item.get("id")
        if not isinstance(id, str):
            return True
        if id in self._ids:
            return False
        self._ids[id] = None
        if len(self._ids) > _REMEMBERED_ITEMS:
            del self._ids[next(iter(self._ids))]
        return True
