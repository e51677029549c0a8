import { Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call, type Item } from '../api/api';
import { ProblemAlert } from '../components/problem-alert';
import { ActionButton } from '../resources/action-button';
import { Fields } from '../resources/field-value';
import type { Action } from '../resources/resource';

const MOVE: Action = {
  label: 'Move the clock',
  method: 'PUT',
  path: '/v1/commerce/test-clock',
  fields: [
    {
      name: 'now',
      label: 'New time',
      kind: 'time',
      required: true,
      start: (clock) => clock['now'],
      help: 'It only moves forward.',
    },
  ],
};

/** The clock of the test mode: renewals and other dates follow it. */
export function TestClockPage() {
  const clock = useQuery({
    queryKey: ['test-clock'],
    queryFn: ({ signal }) => call<Item>('GET', '/v1/commerce/test-clock', { signal }),
  });
  return (
    <Stack>
      <Title order={1} size="h3">
        Test clock
      </Title>
      <Text>
        Moving the clock runs what falls due, in order, before the response comes: renewals, retries, expiries.
      </Text>
      {clock.isPending && <Loader aria-label="Loading" />}
      {clock.isError && <ProblemAlert error={clock.error} />}
      {clock.data !== undefined && (
        <>
          <Fields item={clock.data} />
          <ActionButton action={MOVE} item={clock.data} ids={{}} isPrimary />
        </>
      )}
    </Stack>
  );
}
