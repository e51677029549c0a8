import { Alert, Anchor, Group, Loader, Stack, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call, type Item } from '../api/api';
import { Id } from '../components/copy';
import { toText } from '../components/format';
import { JsonView } from '../components/json-view';
import { ProblemAlert } from '../components/problem-alert';
import { StatusBadge } from '../components/status-badge';
import { Time } from '../components/time';
import { ActionButton } from '../resources/action-button';
import { Fields } from '../resources/field-value';
import type { Action } from '../resources/resource';
import { explainFailure } from './explain-failure';

const REPLAY: Action = {
  label: 'Replay',
  method: 'POST',
  path: '/v1/webhooks/deliveries/{id}/replay',
  fields: [],
  showResponse: (delivery) => (
    <Stack>
      <Text>
        The new delivery: <StatusBadge status={toText(delivery['status'])} />
      </Text>
      <Anchor component={Link} to={`/webhooks/deliveries/${toText(delivery['id'])}`}>
        {toText(delivery['id'])}
      </Anchor>
    </Stack>
  ),
};

/** One delivery: its attempts on a time line, request and response side by side, and why it failed. */
export function DeliveryPage({ id }: { readonly id: string }) {
  const path = `/v1/webhooks/deliveries/${encodeURIComponent(id)}`;
  const delivery = useItem(path);
  if (delivery.isPending) return <Loader aria-label="Loading" />;
  if (delivery.isError) return <ProblemAlert error={delivery.error} />;
  const failure = explainFailure(delivery.data);
  return (
    <Stack>
      <Anchor component={Link} to="/webhooks/deliveries" size="sm">
        Deliveries
      </Anchor>
      <Group justify="space-between">
        <Group>
          <Title order={1} size="h3">
            {toText(delivery.data['event_type'])}
          </Title>
          <StatusBadge status={toText(delivery.data['status'])} />
        </Group>
        {canReplay(delivery.data) && <ActionButton action={REPLAY} item={delivery.data} ids={{ id }} isPrimary />}
      </Group>
      <Id value={id} />
      {failure !== null && (
        <Alert color="red" variant="outline" title="Why it failed">
          <Text size="sm">{failure}</Text>
        </Alert>
      )}
      <Attempts path={`${path}/attempts`} current={id} />
      <div className="side-by-side">
        <Message title="Request" path={`${path}/request`} />
        <Message title="Response" path={`${path}/response`} />
      </div>
      <Fields item={delivery.data} />
    </Stack>
  );
}

/** A delivery has a number of attempts; a test event has one. */
function canReplay({ attempt, max_attempts: most }: Item): boolean {
  return Number(attempt) < Number(most);
}

function Attempts({ path, current }: { readonly path: string; readonly current: string }) {
  const attempts = useItem(path);
  if (attempts.isPending) return <Loader aria-label="Loading the attempts" />;
  if (attempts.isError) return <ProblemAlert error={attempts.error} />;
  const { attempts: all, next_attempt_at: next } = attempts.data as {
    attempts: readonly Item[];
    next_attempt_at: string | null;
  };
  return (
    <section aria-label="Attempts">
      <Title order={2} size="h4" mb="sm">
        Attempts
      </Title>
      <Timeline active={all.length} bulletSize={14}>
        {all.map((attempt) => (
          <Timeline.Item key={toText(attempt['id'])} title={<AttemptTitle attempt={attempt} current={current} />}>
            <Text size="sm" component="div">
              <Time value={attempt['created_at'] as string} />
              {attempt['duration_ms'] !== null && `, ${toText(attempt['duration_ms'])} ms`}
              {attempt['response_status'] !== null && `, response ${toText(attempt['response_status'])}`}
            </Text>
          </Timeline.Item>
        ))}
        {next !== null && (
          <Timeline.Item title="Next automatic attempt">
            <Time value={next} />
          </Timeline.Item>
        )}
      </Timeline>
    </section>
  );
}

function AttemptTitle({ attempt, current }: { readonly attempt: Item; readonly current: string }) {
  const id = toText(attempt['id']);
  const label = `Attempt ${toText(attempt['attempt'])}: ${toText(attempt['status'])}`;
  return id === current ? (
    <b>{label} (this one)</b>
  ) : (
    <Anchor component={Link} to={`/webhooks/deliveries/${id}`}>
      {label}
    </Anchor>
  );
}

function Message({ title, path }: { readonly title: string; readonly path: string }) {
  const message = useItem(path);
  if (message.isPending) return <Loader aria-label={`Loading the ${title.toLowerCase()}`} />;
  if (message.isError) return <ProblemAlert error={message.error} />;
  return (
    <Stack>
      <JsonView label={`${title}: headers`} value={message.data['headers'] ?? {}} />
      <JsonView label={`${title}: body`} value={formatBody(message.data['body'])} />
    </Stack>
  );
}

/** Indents a body that is JSON. Any other body stays as it came. */
function formatBody(body: unknown): string {
  const text = toText(body);
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function useItem(path: string) {
  return useQuery({
    queryKey: ['item', path],
    queryFn: ({ signal }) => call<Item>('GET', path, { signal }),
  });
}
