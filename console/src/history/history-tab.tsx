import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call, type Page } from '../api/api';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';

/** What has happened to one resource, from the change history. */
export function HistoryTab({ id }: { readonly id: string }) {
  const path = `/v1/audit/resources/${encodeURIComponent(id)}/history`;
  const history = useQuery({
    queryKey: ['history', path],
    queryFn: ({ signal }) => call<Page>('GET', path, { signal }),
  });
  if (history.isPending) return <Loader aria-label="Loading" />;
  if (history.isError) return <ProblemAlert error={history.error} />;
  return (
    <Stack>
      {history.data.data.length === 0 && <Text>Nothing has been recorded about it yet.</Text>}
      {history.data.data.map((entry) => (
        <JsonView key={String(entry['id'])} value={entry} label={String(entry['type'])} />
      ))}
    </Stack>
  );
}
