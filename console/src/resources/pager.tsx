import { Button, Group, Text } from '@mantine/core';
import type { Page, Query } from '../api/api';

interface PagerProps {
  readonly pagination: Page['pagination'];
  readonly query: Query;
  readonly change: (changes: Query) => void;
}

/** Goes through a page list by number, and through a cursor list forwards; back is the button of the browser. */
export function Pager({ pagination, query, change }: PagerProps) {
  const {
    current_page: page,
    total_pages: pages,
    total_count: count,
    next_cursor: next,
    has_more: hasMore,
  } = pagination;
  if (page !== undefined && pages !== undefined)
    return (
      <Group component="nav" aria-label="Pages">
        <Button variant="default" disabled={page <= 1} onClick={() => change({ page: String(page - 1) })}>
          Previous
        </Button>
        <Text size="sm">
          Page {page} of {pages}, {count} in all
        </Text>
        <Button variant="default" disabled={page >= pages} onClick={() => change({ page: String(page + 1) })}>
          Next
        </Button>
      </Group>
    );
  return (
    <Group component="nav" aria-label="Pages">
      {query['after'] !== undefined && (
        <Button variant="default" onClick={() => change({ after: undefined })}>
          First page
        </Button>
      )}
      <Button variant="default" disabled={!hasMore} onClick={() => change({ after: next ?? undefined })}>
        Next
      </Button>
    </Group>
  );
}
