import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../components/data-table';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';
import { Time } from '../components/time';
import { ResourceLink } from '../resources/resource-link';
import { type LiveEvent, useLiveEvents } from './use-live-events';

/** Events as they are published, the newest first. */
export function LivePage() {
  const [isPaused, setPaused] = useState(false);
  const { events, error } = useLiveEvents(isPaused);
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
      <Text role="status">{isPaused ? 'Paused.' : 'Waiting for events of this business and mode.'}</Text>
      {error !== null && <ProblemAlert error={error} />}
      {events.length > 0 && (
        <DataTable
          label="Live events"
          columns={['Event', 'Type', 'Occurred', 'Data']}
          rows={events.map((event) => ({
            key: event.id,
            cells: [
              <ResourceLink key="id" reference={{ object: 'event', id: event.id }} />,
              event.type,
              <Time key="time" value={event.occurred_at} />,
              <Button key="show" variant="default" onClick={() => setChosen(event)}>
                Show
              </Button>,
            ],
          }))}
        />
      )}
      {chosen !== null && <JsonView label={`Event ${chosen.id}`} value={chosen} />}
    </Stack>
  );
}
