import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { memo, useState } from 'react';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';
import { Time } from '../components/time';
import { ResourceLink } from '../resources/resource-link';
import { type LiveEvent, useLiveEvents } from './use-live-events';

/** Events as they are published, the newest first. */
export function LivePage() {
  const [isPaused, setPaused] = useState(false);
  const { events, count, error } = useLiveEvents(isPaused);
  const [chosen, setChosen] = useState<LiveEvent | null>(null);
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h3">
          Live events
        </Title>
        <Button variant="default" onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Continue' : 'Pause'}
        </Button>
      </Group>
      <Text role="status">
        {isPaused ? 'Paused.' : 'Waiting for events of this business and mode.'}
        {count > events.length && ` ${count} have come; the newest are shown.`}
      </Text>
      {error !== null && <ProblemAlert error={error} />}
      {events.length > 0 && <LiveTable events={events} choose={setChosen} />}
      {chosen !== null && <JsonView label={`Event ${chosen.id}`} value={chosen} />}
    </Stack>
  );
}

interface LiveTableProps {
  readonly events: readonly LiveEvent[];
  readonly choose: (event: LiveEvent) => void;
}

function LiveTable({ events, choose }: LiveTableProps) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Live events">
      <table className="table">
        <thead>
          <tr>
            {['Event', 'Type', 'Occurred', 'Data'].map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <LiveRow key={event.id} event={event} choose={choose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A row is drawn once, however many events come after it. */
const LiveRow = memo(function LiveRow({
  event,
  choose,
}: {
  readonly event: LiveEvent;
  readonly choose: (event: LiveEvent) => void;
}) {
  return (
    <tr>
      <td>
        <ResourceLink reference={{ object: 'event', id: event.id }} />
      </td>
      <td>{event.type}</td>
      <td>
        <Time value={event.occurred_at} />
      </td>
      <td>
        <button type="button" className="link" onClick={() => choose(event)}>
          Show
        </button>
      </td>
    </tr>
  );
});
