import { Alert, Anchor, List, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../api/api';
import { Id } from '../components/copy';
import { ProblemAlert } from '../components/problem-alert';
import { Time } from '../components/time';
import { ResourceLink } from '../resources/resource-link';
import { type Entry, toWords } from './entry';

interface CausedCommand {
  readonly command: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly events: readonly (Entry & { readonly commands: readonly CausedCommand[] })[];
  readonly commands: readonly CausedCommand[];
}

interface Correlation {
  readonly event_count: number;
  readonly truncated: boolean;
  readonly commands: readonly CausedCommand[];
}

/** The tree of what one request caused: commands, their events, and what those caused. */
export function CorrelationPage({ id }: { readonly id: string }) {
  const path = `/v1/audit/correlations/${encodeURIComponent(id)}`;
  const tree = useQuery({
    queryKey: ['correlation', path],
    queryFn: ({ signal }) => call<Correlation>('GET', path, { signal }),
    staleTime: 60_000,
  });
  if (tree.isPending) return <Loader aria-label="Loading" />;
  if (tree.isError) return <ProblemAlert error={tree.error} />;
  const { event_count: count, truncated, commands } = tree.data;
  return (
    <Stack>
      <Title order={1} size="h3">
        What one request caused
      </Title>
      <Id value={id} />
      <Text>{count} events</Text>
      {truncated && (
        <Alert color="orange" variant="outline" title="The tree is cut">
          There are more events than this page shows.
        </Alert>
      )}
      <Commands commands={commands} />
    </Stack>
  );
}

function Commands({ commands }: { readonly commands: readonly CausedCommand[] }) {
  if (commands.length === 0) return null;
  return (
    <List listStyleType="none" withPadding>
      {commands.map(({ command, actor, events, commands: direct }, index) => (
        <List.Item key={index}>
          <b>{toWords(command)}</b> by {toWords(actor.type)} <span className="break">{actor.id}</span>
          <List withPadding>
            {events.map((event) => (
              <List.Item key={event.id}>
                <Anchor component={Link} to={`/history/events/${event.id}`}>
                  {toWords(event.type)}
                </Anchor>{' '}
                <Time value={event.recorded_at} /> <ResourceLink reference={event.resource} />
                <Commands commands={event.commands} />
              </List.Item>
            ))}
          </List>
          <Commands commands={direct} />
        </List.Item>
      ))}
    </List>
  );
}
