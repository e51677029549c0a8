import { Anchor, Loader, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, type Item } from '../api/api';
import { Id } from '../components/copy';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';
import { ResourceLink } from '../resources/resource-link';
import { type Changes, ChangeTable, type Entry, EntryLine, toWords } from './entry';

interface EntryDetail extends Entry {
  readonly data: Item;
  readonly before: Item | null;
  readonly after: Item | null;
  readonly changes: Changes;
}

/** One entry: its data, and the resource before and after it. */
export function EntryPage({ id }: { readonly id: string }) {
  const path = `/v1/audit/events/${encodeURIComponent(id)}`;
  const entry = useQuery({
    queryKey: ['entry', path],
    queryFn: ({ signal }) => call<EntryDetail>('GET', path, { signal }),
  });
  if (entry.isPending) return <Loader aria-label="Loading" />;
  if (entry.isError) return <ProblemAlert error={entry.error} />;
  const { type, resource, changes, before, after, data } = entry.data;
  return (
    <Stack>
      <Anchor component={Link} to="/history/events" size="sm">
        Change history
      </Anchor>
      <Title order={1} size="h3">
        {toWords(type)}
      </Title>
      <Id value={id} />
      <EntryLine entry={entry.data} />
      <div>
        About <ResourceLink reference={resource} />
      </div>
      <ChangeTable changes={changes} />
      <div className="side-by-side">
        <JsonView label="Before" value={before ?? 'There was nothing before.'} />
        <JsonView label="After" value={after ?? 'There is nothing after.'} />
      </div>
      <JsonView label="The event" value={data} />
    </Stack>
  );
}
