import { Button, Loader, Stack, Text, Timeline } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { callList } from '../api/api';
import { ProblemAlert } from '../components/problem-alert';
import { AsOfSlider } from './as-of-slider';
import { ChangeTable, type Entry, EntryLine, toWords } from './entry';

/** The history of one resource: actors, commands, reasons and changed fields. */
export function HistoryTab({ id }: { readonly id: string }) {
  const path = `/v1/audit/resources/${encodeURIComponent(id)}/history`;
  const history = useInfiniteQuery({
    queryKey: ['history', path],
    queryFn: ({ signal, pageParam }) => callList<Entry>(path, { query: { after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
    // Each walk through the history is recorded itself.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
  if (history.isPending) return <Loader aria-label="Loading" />;
  if (history.isError) return <ProblemAlert error={history.error} />;
  const entries = history.data.pages.flatMap(({ data }) => data);
  return (
    <Stack>
      {entries.length === 0 ? (
        <Text>Nothing has been recorded about it yet.</Text>
      ) : (
        <AsOfSlider id={id} entries={entries} />
      )}
      <Timeline active={entries.length} bulletSize={14}>
        {entries.map((entry) => (
          <Timeline.Item key={entry.id} title={toWords(entry.type)}>
            <EntryLine entry={entry} />
            <ChangeTable changes={entry.changes ?? {}} />
          </Timeline.Item>
        ))}
      </Timeline>
      {history.hasNextPage && (
        <Button
          variant="default"
          w="fit-content"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Later entries
        </Button>
      )}
    </Stack>
  );
}
